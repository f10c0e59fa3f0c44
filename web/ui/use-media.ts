import { useCallback, useSyncExternalStore } from 'react'

/** Tailwind's breakpoint. */
export const MD = '(min-width: 48rem)'

/** Whether a media query matches. On the server, it does. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => true,
  )
}
