import { RotateCcw, SlidersHorizontal } from 'lucide-react'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { FILTER_GROUPS, ORDER_LABELS, SORT_LABELS } from './browse-labels.ts'
import { change, DEFAULT_STATE, isFiltered } from './browse-state.ts'
import { describeResults } from './describe-results.ts'
import { PANEL_ID } from './filter-panel.tsx'
import { FORM_ID } from './hero.tsx'
import type { Browse } from './use-browse.ts'

interface Props {
  browse: Browse
  isPanelOpen: boolean
  onTogglePanel: () => void
}

const panelFlags = FILTER_GROUPS.flatMap((group) => group.flags)

/** How many there are, in which order, and the way to the filters. */
export function Toolbar({ browse, isPanelOpen, onTogglePanel }: Props) {
  const { state, wanted, list, show, hrefOf } = browse
  const count = panelFlags.filter((flag) => state.flags.includes(flag)).length
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="mr-auto min-h-5 font-medium tabular-nums max-md:w-full">
        {list && describeResults(list.pagination)}
      </p>
      <Select
        label="Sort"
        form={FORM_ID}
        name="sort"
        value={wanted.sort}
        options={SORT_LABELS}
        onChange={(sort) => void show(change(wanted, { sort }))}
      />
      <Select
        label="Order"
        form={FORM_ID}
        name="order"
        value={wanted.order}
        options={ORDER_LABELS}
        onChange={(order) => void show(change(wanted, { order }))}
      />
      <Button
        aria-expanded={isPanelOpen}
        aria-controls={PANEL_ID}
        onClick={onTogglePanel}
        className="aria-expanded:border-accent noscript:hidden"
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        More Filters
        {count > 0 && (
          <span className="rounded-full bg-accent-strong px-1.5 text-xs text-on-accent tabular-nums">
            {count}
            <span className="sr-only"> on</span>
          </span>
        )}
      </Button>
      {isFiltered(state) && (
        <LinkButton to={hrefOf(DEFAULT_STATE)} preventScrollReset variant="ghost">
          <RotateCcw aria-hidden className="size-4" />
          Reset
        </LinkButton>
      )}
    </div>
  )
}
