import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * A value that only the browser knows: the server has no more than the URL's path and query. Undefined on the server and while
 * hydrating. After that the component renders again, unless the value is still undefined.
 */
export function useAfterHydration<T>(value: T): T | undefined {
  return useSyncExternalStore(
    never,
    () => value,
    () => undefined,
  )
}
