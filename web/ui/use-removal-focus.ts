import { type RefObject, useEffect, useRef } from 'react'

interface RemovalFocus<E> {
  /** For the element around the list. */
  section: RefObject<E | null>
  /** Removes the entry with this id. `send` rejects if it was not removed, after it has shown why. */
  removeEntry: (id: number, send: () => Promise<unknown>) => Promise<void>
}

/**
 * The focus in a list whose entries have a button with `data-remove`. The pressed button is removed with its entry: the button
 * that takes its position gets the focus, or the first link if the list is empty.
 */
export function useRemovalFocus<E extends HTMLElement>(ids: readonly number[]): RemovalFocus<E> {
  const section = useRef<E>(null)
  const removed = useRef<{ id: number; index: number }>(undefined)
  useEffect(() => {
    // The list may also change because it was loaded again.
    if (!removed.current || ids.includes(removed.current.id)) return
    const { index } = removed.current
    removed.current = undefined
    // The member may have moved the focus in the meantime.
    if (document.activeElement !== document.body) return
    const buttons = section.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = buttons[Math.min(index, ids.length - 1)] ?? section.current?.querySelector<HTMLElement>('a')
    next?.focus()
  })
  const removeEntry = async (id: number, send: () => Promise<unknown>) => {
    removed.current = { id, index: ids.indexOf(id) }
    try {
      await send()
    } catch {
      removed.current = undefined
    }
  }
  return { section, removeEntry }
}
