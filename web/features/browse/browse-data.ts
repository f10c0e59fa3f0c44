import { useLoaderData, useLocation, useNavigate, useNavigation } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import type { Facets, ScriptList } from '#contract/catalogue.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import {
  type BrowseState,
  DEFAULT_STATE,
  filtersOf,
  isFiltered,
  listQueryOf,
  readBrowse,
  writeBrowse,
} from './browse-state.ts'
import { type HighlightLists, loadHighlights } from './highlights.tsx'
import type { BrowseFailure } from './results.tsx'

const UNREACHABLE = 503

interface BrowseData {
  list: ScriptList | null
  /** Null when the counts could not be loaded; the list is shown without them. */
  facets: Facets | null
  /** Null on all but the first page of all scripts, or when they could not be loaded. */
  highlights: HighlightLists | null
  failure: BrowseFailure | null
}

/** Loads the list and the facet counts. A failure is part of the data, so that search and filters stay usable. */
export async function loader({ context, request }: LoaderArgs) {
  const api = context.get(apiContext)
  const state = readBrowse(new URL(request.url).searchParams)
  const { signal } = request
  const [list, facets, highlights] = await Promise.all([
    api('GET /api/scripts', { query: listQueryOf(state), signal }).catch(readFailure),
    api('GET /api/script-facets', { query: filtersOf(state), signal }).catch(() => null),
    hasHighlights(state) ? loadHighlights(api, signal).catch(() => null) : null,
  ])
  if ('scripts' in list) return data<BrowseData>({ list, facets, highlights, failure: null })
  return data<BrowseData>({ list: null, facets, highlights, failure: list }, { status: list.status || UNREACHABLE })
}

function readFailure(error: unknown): BrowseFailure {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, message: error.message }
}

const hasHighlights = (state: BrowseState) =>
  !isFiltered(state) && state.page === 1 && state.sort === DEFAULT_STATE.sort && state.order === DEFAULT_STATE.order

/** The state in the URL, the data loaded for it, and navigation to another state. */
export function useBrowse() {
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

export type Browse = ReturnType<typeof useBrowse>
