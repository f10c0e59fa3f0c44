import type { ReactNode } from 'react'
import { SelectBox } from './select-box.tsx'
import type { Selection } from './use-selection.ts'

interface ListProps {
  label: string
  selection: Pick<Selection<{ id: number }>, 'isAll' | 'toggleAll'>
  isPending: boolean
  children: ReactNode
}

/** A table's rows for little room: a card for each. */
export function CardList({ label, selection, isPending, children }: ListProps) {
  return (
    <div className="flex flex-col gap-2" aria-busy={isPending}>
      <p className="flex items-center gap-3 pl-3 text-muted">
        <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
        <span aria-hidden>Select all</span>
      </p>
      <ul aria-label={label} className={`flex flex-col gap-2 ${isPending ? 'opacity-60' : ''}`}>
        {children}
      </ul>
    </div>
  )
}

interface CardProps {
  name: string
  isSelected: boolean
  onToggle: () => void
  /** What it is about. */
  title: ReactNode
  menu: ReactNode
  children: ReactNode
}

export function SelectableCard({ name, isSelected, onToggle, title, menu, children }: CardProps) {
  return (
    <li
      className={`flex flex-col gap-2 rounded-md border border-line p-3 ${isSelected ? 'bg-accent-soft' : 'bg-surface-1'}`}
    >
      <div className="flex items-center gap-3">
        <SelectBox label={`Select ${name}`} isChecked={isSelected} onToggle={onToggle} />
        <div className="min-w-0 flex-1">{title}</div>
        {menu}
      </div>
      {children}
    </li>
  )
}
