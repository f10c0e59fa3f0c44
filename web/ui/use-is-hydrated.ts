import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page has hydrated. The server, and the first rendering in the browser, have no more than the URL's path and query. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
