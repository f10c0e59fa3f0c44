import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

const Nothing = () => null

/** A part of a page whose code comes when it is first shown. Where the code cannot be had, the page goes on without it. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: Nothing }),
    ),
  )
}
