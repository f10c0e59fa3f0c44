import X from 'lucide-react/icons/x'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type RefObject, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Flag } from '#contract/catalogue-names.ts'
import type { CatalogueFilters, Facets } from '#contract/catalogue.ts'
import { useApi } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { useAfterHydration } from '#web/ui/use-after-hydration.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { BEHAVIOR_GROUP, countScripts, FILTER_GROUPS, FLAG_LABELS, FORM_ID, PANEL_ID } from './browse-labels.ts'
import { type BrowseState, filtersOf, toggleFlag } from './browse-state.ts'

const BehaviorList = lazyComponent(async () => (await import('./behavior-list.tsx')).BehaviorList)

/** The width at which the panel fits beside the list. Must match the `lg:` classes below. */
const WIDE = '(width >= 64rem)'

/** The width at which the panel is open unless it was closed before. Must match the variant `default-open` in the styles. */
const ROOMY = '(width >= 80rem)'
/** In the browser's storage, read by before-paint.ts. */
const STORAGE_KEY = 'filters'

const isOpenByDefault = () => matchMedia(ROOMY).matches && document.documentElement.dataset['filters'] !== 'closed'

/** Remembers whether the panel beside the list was closed. */
function remember(isOpen: boolean): void {
  if (!matchMedia(WIDE).matches) return
  document.documentElement.dataset['filters'] = isOpen ? 'open' : 'closed'
  try {
    localStorage.setItem(STORAGE_KEY, isOpen ? 'open' : 'closed')
  } catch {
    // Storage is blocked: the next page opens it by default.
  }
}

/**
 * Opens one dialog element beside the list on wide screens, and as a modal sheet on narrow ones, where the platform
 * traps the focus, closes on Escape and makes the page behind inert.
 */
export function usePanel(onClosed: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const [chosen, setChosen] = useState<boolean>()
  const initial = useAfterHydration(import.meta.env.SSR ? undefined : isOpenByDefault())
  /** Undefined until hydration: styles decide. */
  const isOpen = chosen ?? initial
  const setOpen = (isNext: boolean) => {
    remember(isNext)
    setChosen(isNext)
  }
  const closeOnEscape = useEffectEvent(() => setOpen(false))

  // Before the paint, because the results would move after it.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    const wide = matchMedia(WIDE)
    // The attribute, because show() moves the focus into the dialog.
    if (wide.matches) dialog.open = true
    else dialog.showModal()
    const controller = new AbortController()
    const { signal } = controller
    // A page that becomes narrower is not covered by a sheet.
    wide.addEventListener('change', () => setChosen(false), { signal })
    // The platform handles Escape only for modal dialogs, and does not close on a click on the backdrop.
    dialog.addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Escape' && !dialog.matches(':modal')) closeOnEscape()
      },
      { signal },
    )
    dialog.addEventListener(
      'click',
      ({ target }) => {
        if (target === dialog && dialog.matches(':modal')) setChosen(false)
      },
      { signal },
    )
    return () => {
      controller.abort()
      dialog.close()
    }
  }, [isOpen])

  return {
    ref,
    isOpen,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
    closeSheet: () => {
      if (!matchMedia(WIDE).matches) setChosen(false)
    },
    /** The close event is asynchronous: the panel may be open again in its other form by then. */
    handleClosed: () => {
      if (ref.current?.open) return
      setChosen(false)
      onClosed()
    },
  }
}

interface Draft {
  /** The flags in the URL when the draft was made. */
  base: string
  flags: Flag[]
}

/** Flags chosen in the panel but not yet applied, and the number of matching scripts. */
export function useStagedFilters({ state, facets }: { state: BrowseState; facets: Facets | null }) {
  const [draft, setDraft] = useState<Draft>()
  const applied = state.flags.join()
  // The URL changed, also by Apply or Back: a draft of an earlier URL must not return with it.
  if (draft && draft.base !== applied) setDraft(undefined)
  const flags = draft?.base === applied ? draft.flags : state.flags
  const isStaged = flags.join() !== applied
  const staged = useFacets(JSON.stringify(filtersOf({ ...state, flags })), isStaged)
  return {
    flags,
    isStaged,
    facets: isStaged ? (staged ?? facets) : facets,
    /** Null until the count is loaded. */
    total: isStaged ? (staged?.total ?? null) : (facets?.total ?? null),
    toggle: (flag: Flag, isOn: boolean) => setDraft({ base: applied, flags: toggleFlag(flags, flag, isOn) }),
    discard: () => setDraft(undefined),
  }
}

/** Counts for filters that are not in the URL. Takes the query as JSON, which is a stable effect dependency. */
function useFacets(key: string, isNeeded: boolean): Facets | undefined {
  const api = useApi()
  const [loaded, setLoaded] = useState<{ key: string; facets: Facets }>()
  useEffect(() => {
    if (!isNeeded) return undefined
    const controller = new AbortController()
    const query = JSON.parse(key) as CatalogueFilters
    api('GET /api/script-facets', { query, signal: controller.signal }).then(
      (facets) => setLoaded({ key, facets }),
      // The panel works without counts.
      () => undefined,
    )
    return () => controller.abort()
  }, [api, key, isNeeded])
  return loaded?.key === key ? loaded.facets : undefined
}

interface Props {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
  /** Called however the dialog was closed. */
  onClosed: () => void
  /** Called when a link in the panel was followed. */
  onFollow: () => void
  /** Undefined until hydration. */
  isOpen: boolean | undefined
  staged: ReturnType<typeof useStagedFilters>
  browse: { state: BrowseState; hrefOf: (state: BrowseState) => string }
}

// Beside the list on wide screens and without JavaScript, otherwise a bottom sheet.
const panelClass =
  'm-0 w-full max-w-full overscroll-contain border-line bg-surface-1 p-0 text-text noscript:static noscript:mb-4 noscript:block noscript:rounded-md noscript:border ' +
  'max-lg:fixed max-lg:top-auto max-lg:bottom-0 max-lg:max-h-[85dvh] max-lg:overflow-y-auto max-lg:rounded-t-md max-lg:border-t ' +
  'lg:sticky lg:top-18 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:rounded-md lg:border'

/** The filter checkboxes. They take effect when Apply Filters submits the search form. */
export function FilterPanel({ ref, isOpen, onClose, onClosed, onFollow, staged, browse }: Props) {
  return (
    <dialog
      ref={ref}
      id={PANEL_ID}
      aria-label="Filters"
      onClose={onClosed}
      className={`${panelClass} ${isOpen === undefined ? 'default-open:block' : ''}`}
    >
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
              {title === BEHAVIOR_GROUP && <AllBehaviors staged={staged} browse={browse} onFollow={onFollow} />}
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

/** Opens the list of all behaviors. It loads when it is opened, and needs JavaScript. */
function AllBehaviors({ staged, browse, onFollow }: Pick<Props, 'staged' | 'browse' | 'onFollow'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-mx-2 mb-1 flex min-h-11 w-[calc(100%+1rem)] items-center gap-3 rounded-sm px-2 text-left text-accent hover:bg-surface-2 lg:min-h-8 noscript:hidden"
      >
        <span className="flex-1">All behaviors</span>
        <ChevronDown aria-hidden className={`size-4 ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {isOpen && (
        <Suspense>
          <BehaviorList {...browse} counts={staged.facets?.behavior} onFollow={onFollow} />
        </Suspense>
      )}
    </>
  )
}

function Apply({ staged: { total, isStaged } }: { staged: Props['staged'] }) {
  return (
    <footer className="sticky bottom-0 flex flex-col gap-1 border-t border-line bg-surface-1 px-4 pt-1 pb-4">
      <output className="block min-h-5 text-center text-xs text-muted tabular-nums">
        {isStaged && total !== null && `${countScripts(total)} ${total === 1 ? 'matches' : 'match'}`}
      </output>
      <Button type="submit" form={FORM_ID} variant="primary" className="w-full">
        Apply Filters
      </Button>
    </footer>
  )
}
