import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls `onMove` when a row of a list is dragged to another one by its handle, the element with `draggable`. */
export function useDragOrder(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void): void {
  const finish = useEffectEvent(onMove)
  useEffect(() => {
    const element = list.current
    if (!element) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const rowOf = ({ target }: Event) => [...element.children].findIndex((row) => row.contains(target as Node))
    let from = -1
    element.addEventListener(
      'dragstart',
      (event) => {
        from = rowOf(event)
        const row = element.children[from]
        if (row) event.dataTransfer?.setDragImage(row, 0, 0)
      },
      { signal },
    )
    element.addEventListener('dragover', (event) => from >= 0 && event.preventDefault(), { signal })
    element.addEventListener('dragend', () => (from = -1), { signal })
    element.addEventListener(
      'drop',
      (event) => {
        if (from < 0) return
        event.preventDefault()
        finish(from, rowOf(event))
      },
      { signal },
    )
    return () => listening.abort()
  }, [list])
}
