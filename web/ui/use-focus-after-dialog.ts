import { type RefObject, useEffect, useRef } from 'react'

/** Focuses an element after a dialog whose opener is gone. An effect, because the page is inert until the dialog has closed. */
export function useFocusAfterDialog<T extends HTMLElement>(
  isDialogOpen: boolean,
): { target: RefObject<T | null>; focusAfterDialog: () => void } {
  const target = useRef<T>(null)
  const isDue = useRef(false)
  useEffect(() => {
    if (isDialogOpen || !isDue.current) return
    isDue.current = false
    target.current?.focus()
  }, [isDialogOpen])
  return {
    target,
    focusAfterDialog: () => {
      isDue.current = true
    },
  }
}
