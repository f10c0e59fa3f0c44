import { useState } from 'react'
import { useHold } from './refresher.ts'

/** Which rows of what is on screen are selected. Nothing is refreshed by itself meanwhile. */
export function useSelection<T extends { id: number }>(rows: readonly T[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  // What left the screen is selected no more.
  const selected = rows.filter(({ id }) => ids.has(id))
  useHold(selected.length > 0)
  return {
    selected,
    isSelected: (id: number) => ids.has(id),
    isAll: rows.length > 0 && selected.length === rows.length,
    toggle: (id: number) => setIds((old) => new Set(old.has(id) ? [...old].filter((one) => one !== id) : [...old, id])),
    toggleAll: () => setIds(new Set(selected.length === rows.length ? [] : rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

export type Selection<T extends { id: number }> = ReturnType<typeof useSelection<T>>
