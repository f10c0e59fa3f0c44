import RotateCcw from 'lucide-react/icons/rotate-ccw'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { Suspense } from 'react'
import { Link, useLocation } from '#web/router/router.tsx'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { signInNotice } from '#web/shared/sign-in/load-sign-in-notice.ts'
import { type SignInRequest, signInRequestOf } from '#web/shared/sign-in/sign-in-request.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSessionValue, useUser } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/select.tsx'
import {
  chipsOf,
  describePage,
  describeResults,
  FORM_ID,
  isByBehavior,
  ORDER_LABELS,
  PANEL_FLAGS,
  PANEL_ID,
  sortOptions,
} from './browse-labels.ts'
import {
  type BrowseState,
  change,
  DEFAULT_STATE,
  feedOf,
  hasBehavior,
  isFiltered,
  toggleFlag,
  writeBrowse,
} from './browse-state.ts'
import { FilterPanel, usePanel, useStagedFilters } from './filter-panel.tsx'
import { type Browse, useBrowse } from './browse-data.ts'
import { Hero } from './hero.tsx'
import { Highlights } from './highlights.tsx'
import { Results } from './results.tsx'
import { ViewToggle } from './view-toggle.tsx'
import { isWelcome } from './welcome-state.ts'

const Welcome = lazyComponent(async () => (await import('./welcome.tsx')).Welcome)

export { loader } from './browse-data.ts'

// Without JavaScript the panel is always visible: beside the list, or below it on phones.
const withPanel =
  'items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)] noscript:flex noscript:flex-col-reverse noscript:items-stretch noscript:lg:grid noscript:lg:items-start'

/** The layout while the panel is open, and before hydration where it opens by default. */
const PANEL_LAYOUT: Readonly<Record<string, string>> = { true: 'lg:grid', undefined: 'default-open:grid' }

export function Component() {
  const browse = useBrowse()
  const staged = useStagedFilters({ state: browse.pendingState, facets: browse.facets })
  const { ref, ...panel } = usePanel(staged.discard)
  const signInRequest = useSignInRequest()
  return (
    <>
      <PageHead
        {...describePage(browse.state)}
        path={`/${writeBrowse(browse.state)}`}
        // Anyone can link to any host and any combination.
        isListed={!hasBehavior(browse.state)}
        feed={feedOf(browse.state)}
      />
      {signInNotice.Component && signInRequest && <signInNotice.Component request={signInRequest} />}
      <Hero browse={browse} onSearch={panel.closeSheet} />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-4">
        {browse.pathname === '/' && !isFiltered(browse.state) && browse.state.page === 1 && <WelcomeSlot />}
        {browse.highlights && <Highlights {...browse.highlights} />}
        <BehaviorNote state={browse.state} />
        <Toolbar browse={browse} isPanelOpen={panel.isOpen} onTogglePanel={panel.toggle} />
        <ActiveFilters browse={browse} />
        <div className={`${withPanel} ${PANEL_LAYOUT[String(panel.isOpen)] ?? ''}`}>
          <FilterPanel
            ref={ref}
            isOpen={panel.isOpen}
            onClose={panel.close}
            onClosed={panel.handleClosed}
            onFollow={panel.closeSheet}
            staged={staged}
            browse={browse}
          />
          <Results {...browse} />
        </div>
      </div>
    </>
  )
}

/** For members only, once the session is known. */
function WelcomeSlot() {
  const user = useUser()
  if (!user || !isWelcome(user)) return null
  return (
    <Suspense>
      <Welcome user={user} />
    </Suspense>
  )
}

/** What a visitor wanted to do when they were redirected here. Undefined for members. */
function useSignInRequest(): SignInRequest | undefined {
  const request = signInRequestOf(useLocation())
  return useSessionValue(({ status }) => (status === 'anonymous' ? request : undefined))
}

/** Explains what a list filtered by behavior or host contains and what it leaves out. */
function BehaviorNote({ state }: { state: BrowseState }) {
  if (!isByBehavior(state)) return null
  return (
    <div className="flex flex-col gap-1">
      {state.hosts.length > 0 && (
        <h2 className="text-xl font-semibold wrap-anywhere">
          Scripts that contact <bdi>{state.hosts.join(' and ')}</bdi>
        </h2>
      )}
      <p className="max-w-prose text-muted">
        From our code check. Unchecked scripts are hidden{state.hosts.length > 0 ? ', and subdomains count too' : ''}.{' '}
        <Link to="/behavior" className="whitespace-nowrap text-accent underline">
          How we check scripts
        </Link>
      </p>
    </div>
  )
}

interface ToolbarProps {
  browse: Browse
  isPanelOpen: boolean | undefined
  onTogglePanel: () => void
}

function Toolbar({ browse, isPanelOpen, onTogglePanel }: ToolbarProps) {
  const { state, pendingState, list, show, hrefOf } = browse
  const activeCount = PANEL_FLAGS.filter((flag) => pendingState.flags.includes(flag)).length
  const isEmpty = list?.pagination.total === 0
  return (
    <div className="grid grid-cols-2 items-center justify-end gap-2 sm:flex sm:flex-wrap">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 max-sm:-order-2">
        <output className="block min-h-5 font-medium tabular-nums">{list && describeResults(list.pagination)}</output>
        {list && !isEmpty && <FeedLink path={feedOf(state)} label="these scripts" />}
        {!isEmpty && state.search !== '' && state.sort === DEFAULT_STATE.sort && (
          <p className="text-muted">
            Sorted by date ·{' '}
            <Link
              to={hrefOf(change(state, { sort: 'relevance', order: 'desc' }))}
              preventScrollReset
              className="relative whitespace-nowrap text-accent before:absolute before:inset-x-0 before:-inset-y-3 hover:underline"
            >
              Sort by relevance
            </Link>
          </p>
        )}
      </div>
      <div className="empty:hidden max-sm:order-1 max-sm:col-span-2 sm:empty:block sm:mr-auto">
        <SendingToggle browse={browse} />
      </div>
      <Select
        label="Sort"
        form={FORM_ID}
        name="sort"
        value={pendingState.sort}
        options={sortOptions(pendingState)}
        onChange={(sort) => void show(change(pendingState, { sort }))}
      />
      <Select
        label="Order"
        form={FORM_ID}
        name="order"
        value={pendingState.order}
        options={ORDER_LABELS}
        onChange={(order) => void show(change(pendingState, { order }))}
      />
      <ViewToggle />
      <Button
        aria-expanded={isPanelOpen}
        aria-controls={PANEL_ID}
        onClick={onTogglePanel}
        className="aria-expanded:border-accent max-sm:-order-1 max-sm:justify-self-end noscript:hidden"
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        More Filters
        {activeCount > 0 && (
          <span className="rounded-full bg-accent-strong px-1.5 text-xs text-on-accent tabular-nums">
            {activeCount}
            <span className="sr-only"> active</span>
          </span>
        )}
      </Button>
    </div>
  )
}

/** Hides scripts that send data, or shows them again. Nothing if there are none. */
function SendingToggle({ browse: { state, facets, hrefOf } }: { browse: Browse }) {
  const isOn = state.flags.includes('sends_no_data')
  if (!isOn && (!facets || facets.flags['sends_no_data'] === facets.total)) return null
  return (
    <Link
      to={hrefOf(change(state, { flags: toggleFlag(state.flags, 'sends_no_data', !isOn) }))}
      preventScrollReset
      className="relative inline-flex min-h-11 items-center gap-1.5 rounded-sm px-1 text-accent hover:underline sm:min-h-8"
    >
      {isOn ? 'Show scripts that send data' : 'Hide scripts that send data'}
    </Link>
  )
}

/** One chip for each active filter, which removes it, and a link that resets everything. */
function ActiveFilters({ browse: { state, hrefOf } }: { browse: Browse }) {
  const chips = chipsOf(state)
  if (chips.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {chips.map(({ key, label, without }) => (
        <li key={key} className="max-w-full">
          <Link
            to={hrefOf(without)}
            preventScrollReset
            className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2.5 pl-3 text-accent hover:bg-surface-3 sm:min-h-8"
          >
            <span className="sr-only">Remove </span>
            <bdi className="truncate">{label}</bdi>
            <X aria-hidden className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <LinkButton to={hrefOf(DEFAULT_STATE)} preventScrollReset variant="ghost" size="sm">
          <RotateCcw aria-hidden className="size-4" />
          Reset
        </LinkButton>
      </li>
    </ul>
  )
}
