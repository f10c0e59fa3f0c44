import { data, type LoaderFunctionArgs } from 'react-router'
import type { Facets, ScriptList } from '#contract/catalogue.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { readBrowse } from './browse-state.ts'
import { filtersOf, listQueryOf } from './list-query.ts'

export interface BrowseFailure {
  status: number
  sentence: string
}

export interface BrowseData {
  list: ScriptList | null
  /** Null when they could not be counted: the list is shown all the same. */
  facets: Facets | null
  failure: BrowseFailure | null
}

/** A failure is shown in the list's place, so that search and filters stay in reach. */
function readFailure(error: unknown): BrowseFailure {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, sentence: error.message }
}

const UNREACHABLE = 503

export async function loadBrowse({ context, request }: LoaderFunctionArgs) {
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
