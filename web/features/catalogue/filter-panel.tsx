import X from 'lucide-react/icons/x'
import type { RefObject } from 'react'
import type { Flag } from '#contract/catalogue-names.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FILTER_GROUPS, FLAG_LABELS } from './browse-labels.ts'
import { countScripts } from './describe-results.ts'
import { FORM_ID } from './hero.tsx'
import type { useStagedFilters } from './use-staged-filters.ts'

export const PANEL_ID = 'filters'

interface Props {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
  /** However it was closed. */
  onClosed: () => void
  staged: ReturnType<typeof useStagedFilters>
}

// Beside the list on wide screens and where no scripts run, a sheet from below else.
const place =
  'm-0 w-full max-w-full overscroll-contain border-line bg-surface-1 p-0 text-text noscript:static noscript:mb-4 noscript:block noscript:rounded-md noscript:border ' +
  'max-lg:fixed max-lg:top-auto max-lg:bottom-0 max-lg:max-h-[85dvh] max-lg:overflow-y-auto max-lg:rounded-t-md max-lg:border-t ' +
  'lg:sticky lg:top-18 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:rounded-md lg:border'

/** The toggles. What is chosen here counts from Apply Filters on. */
export function FilterPanel({ ref, onClose, onClosed, staged }: Props) {
  return (
    <dialog ref={ref} id={PANEL_ID} aria-label="Filters" onClose={onClosed} className={place}>
      <div className="flex flex-col">
        <header className="flex items-center justify-between py-1 pr-1 pl-4">
          <h2 className="text-base font-semibold">Filters</h2>
          <button
            type="button"
            aria-label="Close filters"
            onClick={onClose}
            className="grid size-11 place-items-center rounded-sm text-muted hover:bg-surface-2 hover:text-text noscript:hidden"
          >
            <X aria-hidden className="size-5" />
          </button>
        </header>
        <div className="flex flex-col gap-3 px-4 pb-3 max-lg:grid max-lg:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
          {FILTER_GROUPS.map(({ title, flags }) => (
            <fieldset key={title} className="min-w-0">
              <legend className="mb-1 text-xs font-semibold text-muted">{title}</legend>
              {flags.map((flag) => (
                <Toggle key={flag} flag={flag} staged={staged} />
              ))}
            </fieldset>
          ))}
        </div>
        <Apply staged={staged} />
      </div>
    </dialog>
  )
}

function Toggle({ flag, staged }: { flag: Flag; staged: Props['staged'] }) {
  const count = staged.facets?.flags[flag]
  return (
    <label className="-mx-2 flex min-h-11 items-center gap-3 rounded-sm px-2 hover:bg-surface-2 lg:min-h-8">
      <Checkbox
        form={FORM_ID}
        name={flag}
        value="true"
        autoComplete="off"
        checked={staged.flags.includes(flag)}
        onChange={(event) => staged.toggle(flag, event.target.checked)}
      />
      <span className="min-w-0 flex-1">{FLAG_LABELS[flag]}</span>
      {count !== undefined && (
        <span className="text-xs text-muted tabular-nums">
          {fullCount(count)}
          <span className="sr-only">{count === 1 ? ' script' : ' scripts'}</span>
        </span>
      )}
    </label>
  )
}

function Apply({ staged: { total, isStaged } }: { staged: Props['staged'] }) {
  return (
    <footer className="sticky bottom-0 flex flex-col gap-1 border-t border-line bg-surface-1 px-4 pt-1 pb-4">
      <output className="block min-h-5 text-center text-xs text-muted tabular-nums">
        {isStaged && total !== null && `These filters leave ${countScripts(total)}`}
      </output>
      <Button type="submit" form={FORM_ID} variant="primary" className="w-full">
        Apply Filters
      </Button>
    </footer>
  )
}
