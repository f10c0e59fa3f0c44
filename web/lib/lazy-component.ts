import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

const Nothing = () => null

/** A component that is loaded when it is first rendered. Renders nothing if loading fails, so that the page keeps working. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: Nothing }),
    ),
  )
}
