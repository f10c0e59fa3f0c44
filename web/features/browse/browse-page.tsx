import RotateCcw from 'lucide-react/icons/rotate-ccw'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { Link, useLoaderData, useLocation, useNavigate, useNavigation } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import type { Facets, ScriptList } from '#contract/catalogue.ts'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { SearchBox } from './search-box.tsx'
import { signInNotice } from '#web/shared/sign-in/load-sign-in-notice.ts'
import { type SignInRequest, signInRequestOf } from '#web/shared/sign-in/sign-in-request.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { compactCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { useSessionValue } from '#web/lib/session.tsx'
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
  filtersOf,
  hasBehavior,
  listQueryOf,
  readBrowse,
  typedText,
  untypedTags,
  writeBrowse,
} from './browse-state.ts'
import { FilterPanel, usePanel, useStagedFilters } from './filter-panel.tsx'
import { type BrowseFailure, Results } from './results.tsx'

const UNREACHABLE = 503
const MAX_POPULAR_TAGS = 6

interface BrowseData {
  list: ScriptList | null
  /** Null when the counts could not be loaded; the list is shown without them. */
  facets: Facets | null
  failure: BrowseFailure | null
}

/** Loads the list and the facet counts. A failure is part of the data, so that search and filters stay usable. */
export async function loader({ context, request }: LoaderArgs) {
  const api = context.get(apiContext)
  const state = readBrowse(new URL(request.url).searchParams)
  const { signal } = request
  const [list, facets] = await Promise.all([
    api('GET /api/scripts', { query: listQueryOf(state), signal }).catch(readFailure),
    api('GET /api/script-facets', { query: filtersOf(state), signal }).catch(() => null),
  ])
  if ('scripts' in list) return data<BrowseData>({ list, facets, failure: null })
  return data<BrowseData>({ list: null, facets, failure: list }, { status: list.status || UNREACHABLE })
}

function readFailure(error: unknown): BrowseFailure {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, message: error.message }
}

// Without JavaScript the panel is always visible: beside the list, or below it on phones.
const withPanel =
  'items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)] noscript:flex noscript:flex-col-reverse noscript:items-stretch noscript:lg:grid noscript:lg:items-start'

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
        <BehaviorNote state={browse.state} />
        <Toolbar browse={browse} isPanelOpen={panel.isOpen} onTogglePanel={panel.toggle} />
        <ActiveFilters browse={browse} />
        <div className={`${withPanel} ${panel.isOpen ? 'lg:grid' : ''}`}>
          <FilterPanel
            ref={ref}
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

/** What a visitor wanted to do when they were redirected here. Undefined for members. */
function useSignInRequest(): SignInRequest | undefined {
  const request = signInRequestOf(useLocation())
  return useSessionValue(({ status }) => (status === 'anonymous' ? request : undefined))
}

/** The state in the URL, the data loaded for it, and navigation to another state. */
function useBrowse() {
  const { pathname, search } = useLocation()
  const loaded = useLoaderData<typeof loader>()
  const navigation = useNavigation()
  const navigate = useNavigate()

  const state = readBrowse(new URLSearchParams(search))
  const next =
    navigation.state === 'loading' && navigation.location.pathname === pathname ? navigation.location : undefined
  const hrefOf = (target: BrowseState) => `${pathname}${writeBrowse(target)}`
  return {
    ...loaded,
    pathname,
    state,
    /** The state being navigated to, so that selects and filters show their new value immediately. */
    pendingState: next ? readBrowse(new URLSearchParams(next.search)) : state,
    isPending: next !== undefined,
    hrefOf,
    show: (target: BrowseState) => navigate(hrefOf(target), { preventScrollReset: true }),
  }
}

type Browse = ReturnType<typeof useBrowse>

function Hero({ browse, onSearch }: { browse: Browse; onSearch: () => void }) {
  const { site } = useRootData()
  const { state, pathname, show } = browse
  const hiddenTags = untypedTags(state).join(',')
  const search = (form: FormData) => {
    const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    onSearch()
    void show(readBrowse(new URLSearchParams(fields)))
  }
  return (
    <div className="border-b border-line bg-surface-1">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-4 py-4 text-center">
        <div className="lg:flex lg:items-baseline lg:justify-center lg:gap-3">
          <h1 className="text-2xl font-bold tracking-tight wrap-anywhere">{site.name}</h1>
          <p className="text-balance text-muted wrap-anywhere sm:max-lg:text-base">{site.tagline}</p>
        </div>
        <SearchBox text={typedText(state)} action={pathname} onSearch={search} formId={FORM_ID}>
          {hiddenTags && <input type="hidden" name="tags" value={hiddenTags} />}
          {state.flags.map(
            (flag) => !PANEL_FLAGS.includes(flag) && <input key={flag} type="hidden" name={flag} value="true" />,
          )}
        </SearchBox>
        <PopularTags browse={browse} />
      </div>
    </div>
  )
}

/** The most frequent tags of the listed scripts, each with the number of scripts it would leave. */
function PopularTags({ browse: { state, facets, hrefOf } }: { browse: Browse }) {
  const tags = (facets?.tags ?? []).filter((tag) => !state.tags.includes(tag.name)).slice(0, MAX_POPULAR_TAGS)
  if (tags.length === 0) return null
  return (
    <ul
      aria-label="Popular tags"
      className="relative flex min-w-0 gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap sm:justify-center"
    >
      {tags.map((tag) => (
        <li key={tag.id} className="flex max-w-full min-w-0 shrink-0">
          <Link
            to={hrefOf(change(state, { tags: [...state.tags, tag.name] }))}
            preventScrollReset
            className="inline-flex min-h-11 min-w-0 items-center rounded-full border border-line bg-surface-1 px-3 text-muted hover:border-line-strong hover:bg-surface-2 hover:text-text sm:min-h-8"
          >
            <span aria-hidden>#</span>
            <bdi className="truncate">{tag.name}</bdi>
            <span className="ml-1.5 text-xs tabular-nums">
              {compactCount(tag.count)}
              <span className="sr-only">{tag.count === 1 ? ' script' : ' scripts'}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
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
        Found by reading and running the code. Scripts that have not been checked yet are not listed
        {state.hosts.length > 0 ? '; subdomains count, too. ' : '. '}
        <Link to="/behavior" className="whitespace-nowrap text-accent underline">
          How we check scripts
        </Link>
      </p>
    </div>
  )
}

interface ToolbarProps {
  browse: Browse
  isPanelOpen: boolean
  onTogglePanel: () => void
}

function Toolbar({ browse, isPanelOpen, onTogglePanel }: ToolbarProps) {
  const { state, pendingState, list, show, hrefOf } = browse
  const activeCount = PANEL_FLAGS.filter((flag) => pendingState.flags.includes(flag)).length
  const isEmpty = list?.pagination.total === 0
  return (
    <div className="grid grid-cols-2 items-center justify-end gap-2 sm:flex sm:flex-wrap">
      <div className="mr-auto flex min-w-0 flex-wrap items-center gap-x-2 max-sm:-order-2">
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
