import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CountedPage } from '#contract/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { LoadError } from './load-error.tsx'
import { ListCount } from './list-count.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TabSkeleton } from './tab-skeleton.tsx'
import type { Live } from './use-live.ts'
import type { Selection } from './use-selection.ts'

interface Props<T extends { id: number }> {
  live: Live<{ pagination: CountedPage }>
  one: string
  many: string
  /** What to say where nothing fits. */
  empty: { icon: LucideIcon; title: string; text: string }
  hrefOfPage: (page: number) => string
  selection: Selection<T>
  onBulk: (selected: readonly T[]) => void
  /** Search and filters. */
  filters: ReactNode
  /** The rows, false where there are none. */
  children: ReactNode
}

/** A tab that is a list to choose from: filters, how many there are, the rows and their pages, and deeds for the selected. */
export function SelectableList<T extends { id: number }>(props: Props<T>) {
  const { live, one, many, empty, hrefOfPage, selection, onBulk, filters, children } = props
  const pagination = live.data?.pagination
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">{filters}</div>
      <ListCount pagination={pagination} one={one} many={many} />
      {live.failure && <LoadError text={live.failure} onRetry={live.reload} />}
      {!live.data && !live.failure && <TabSkeleton />}
      {children}
      {live.data && !children && <EmptyState {...empty} />}
      {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
      <SelectionBar count={selection.selected.length} onClear={selection.clear}>
        <Button size="sm" variant="primary" onClick={() => onBulk(selection.selected)}>
          Bulk Actions
        </Button>
      </SelectionBar>
    </div>
  )
}
