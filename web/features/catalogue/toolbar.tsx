import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import { FILTER_GROUPS, ORDER_LABELS, sortOptions } from './browse-labels.ts'
import { change } from './browse-state.ts'
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
  const { state, wanted, list, show } = browse
  const count = panelFlags.filter((flag) => state.flags.includes(flag)).length
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex">
      <output className="mr-auto block min-h-5 font-medium tabular-nums max-sm:-order-2">
        {list && describeResults(list.pagination)}
      </output>
      <Select
        label="Sort"
        form={FORM_ID}
        name="sort"
        value={wanted.sort}
        options={sortOptions(wanted)}
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
        className="aria-expanded:border-accent max-sm:-order-1 max-sm:justify-self-end noscript:hidden"
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
    </div>
  )
}
