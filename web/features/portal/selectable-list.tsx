import { type ReactNode, useState } from 'react'
import type { LucideIcon } from 'lucide-react'
import type { CountedPage } from '#contract/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import type { TabData } from './portal-data.ts'
import { ListCount, LoadError, TabSkeleton } from './tab-parts.tsx'

/** The selected rows among those on screen. */
export function useSelection<T extends { id: number }>(rows: readonly T[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const selected = rows.filter(({ id }) => ids.has(id))
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

interface ListProps<T extends { id: number }> {
  tab: TabData<{ pagination: CountedPage }>
  singular: string
  plural: string
  empty: { icon: LucideIcon; title: string; text: string }
  hrefOfPage: (page: number) => string
  selection: Selection<T>
  onBulk: (selected: readonly T[]) => void
  filters: ReactNode
  /** The rows; false if there are none. */
  children: ReactNode
}

/** A list with filters, a count, selectable rows, pages and bulk actions. */
export function SelectableList<T extends { id: number }>(props: ListProps<T>) {
  const { tab, singular, plural, empty, hrefOfPage, selection, onBulk, filters, children } = props
  const { data, error, reload } = tab
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">{filters}</div>
      <ListCount pagination={data?.pagination} singular={singular} plural={plural} />
      {error && <LoadError text={error} onRetry={reload} />}
      {!data && !error && <TabSkeleton />}
      {children}
      {data && !children && <EmptyState {...empty} />}
      {data && <Pagination page={data.pagination.page} pages={data.pagination.pages} hrefOf={hrefOfPage} />}
      <SelectionBar
        count={selection.selected.length}
        onClear={selection.clear}
        onBulk={() => onBulk(selection.selected)}
      />
    </div>
  )
}

/** Actions for the selected rows, fixed over the bottom of the page to avoid layout shifts. */
function SelectionBar({ count, onClear, onBulk }: { count: number; onClear: () => void; onBulk: () => void }) {
  return (
    <>
      <output className="sr-only">{count > 0 ? `${count} selected` : ''}</output>
      {count > 0 && (
        <section
          data-selection
          aria-label="Selection"
          className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface-1 p-2 pl-4 shadow-raised"
        >
          <p aria-hidden className="mr-auto font-medium tabular-nums">
            {count} selected
          </p>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear
          </Button>
          <Button size="sm" variant="primary" onClick={onBulk}>
            Bulk actions
          </Button>
        </section>
      )}
    </>
  )
}

/** The checkbox of a row, with a touch target of 44 px. */
export function SelectBox({ label, isChecked, onToggle }: { label: string; isChecked: boolean; onToggle: () => void }) {
  return (
    <label className="-m-2 inline-grid size-11 align-middle shrink-0 cursor-pointer place-items-center md:size-9">
      <span className="sr-only">{label}</span>
      <Checkbox checked={isChecked} onChange={onToggle} />
    </label>
  )
}

/** The rows as cards, for narrow screens. */
export function CardList({
  label,
  selection,
  isPending,
  children,
}: {
  label: string
  selection: Pick<Selection<{ id: number }>, 'isAll' | 'toggleAll'>
  isPending: boolean
  children: ReactNode
}) {
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
