import type { CapabilityId } from '#contract/behavior-names.ts'
import { MAX_HOST_FILTERS, readCapabilities, readHosts, splitBehaviorWords } from '#contract/behavior-search.ts'
import { FLAGS, type Flag, ORDERS, type Order, partnerOf } from '#contract/catalogue-names.ts'
import type { CatalogueFilters, ListQuery } from '#contract/catalogue.ts'
import { atomFeed } from '#contract/feed-paths.ts'
import { MAX_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { readSearch, writeSearch } from '#web/lib/search-text.ts'

export const BROWSE_SORTS = [
  'created_at',
  'updated_at',
  'download_count',
  'rating_average',
  'view_count',
  'title',
  'score',
  'relevance',
] as const
export type BrowseSort = (typeof BROWSE_SORTS)[number]

/** What the script browser shows. The URL is its only storage. */
export interface BrowseState {
  search: string
  tags: readonly string[]
  flags: readonly Flag[]
  /** Behaviors that the code must have, and those that it must not have. */
  uses: readonly CapabilityId[]
  lacks: readonly CapabilityId[]
  /** Hosts that the code must contact. */
  hosts: readonly string[]
  sort: BrowseSort
  order: Order
  page: number
}

export const DEFAULT_STATE: BrowseState = {
  search: '',
  tags: [],
  flags: [],
  uses: [],
  lacks: [],
  hosts: [],
  sort: 'created_at',
  order: 'desc',
  page: 1,
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((name) => name === value)
}

function readPage(text: string | null): number {
  if (!text || !/^[0-9]{1,10}$/.test(text)) return 1
  const page = Number(text)
  return page >= 1 && page <= MAX_PAGE ? page : 1
}

// HTML normalizes these characters, which would make the hydrated page differ from the server's.
const UNPRINTABLE = /[\p{Cc}\s]+/gu

function readText(parameters: URLSearchParams, name: 'search' | 'tags' | 'uses' | 'lacks' | 'host'): string {
  return (parameters.get(name) ?? '').replace(UNPRINTABLE, ' ')
}

function readTags(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
}

/** Of two mutually exclusive flags, the first wins. */
function readFlags(parameters: URLSearchParams): Flag[] {
  const on = FLAGS.filter((flag) => parameters.get(flag) === 'true')
  return on.filter((flag, index) => {
    const partner = partnerOf(flag)
    return !partner || !on.slice(0, index).includes(partner)
  })
}

/** Parses any query string, also one typed by hand or sent by the form without JavaScript. Invalid values are ignored. */
export function readBrowse(parameters: URLSearchParams): BrowseState {
  const { text, ...behavior } = splitBehaviorWords(readText(parameters, 'search'))
  const typed = readSearch(text)
  const named = (name: 'uses' | 'lacks') => readCapabilities([readText(parameters, name), ...behavior[name]].join()).ids
  return {
    search: typed.search,
    tags: [...new Set([...readTags(readText(parameters, 'tags')), ...typed.tags.flatMap(readTags)])],
    flags: readFlags(parameters),
    uses: named('uses'),
    lacks: named('lacks'),
    hosts: readHosts([readText(parameters, 'host'), ...behavior.hosts].join()).hosts.slice(0, MAX_HOST_FILTERS),
    sort: oneOf(BROWSE_SORTS, parameters.get('sort')) ?? DEFAULT_STATE.sort,
    order: oneOf(ORDERS, parameters.get('order')) ?? DEFAULT_STATE.order,
    page: readPage(parameters.get('page')),
  }
}

/** The query string of a state, with its question mark. Empty for the default state. */
export function writeBrowse(state: BrowseState): string {
  const parameters = new URLSearchParams()
  if (state.search) parameters.set('search', state.search)
  if (state.tags.length > 0) parameters.set('tags', state.tags.join(','))
  for (const flag of FLAGS) if (state.flags.includes(flag)) parameters.set(flag, 'true')
  for (const [name, value] of Object.entries(behaviorOf(state))) parameters.set(name, value)
  if (state.sort !== DEFAULT_STATE.sort) parameters.set('sort', state.sort)
  if (state.order !== DEFAULT_STATE.order) parameters.set('order', state.order)
  if (state.page > 1) parameters.set('page', String(state.page))
  const query = parameters.toString().replaceAll('%2C', ',')
  return query ? `?${query}` : ''
}

/** Path of the feed with the first scripts of a list. */
export const feedOf = (state: BrowseState): string => atomFeed('scripts', writeBrowse({ ...state, page: 1 }))

/** A changed state starts at page 1. */
export function change(state: BrowseState, changes: Partial<Omit<BrowseState, 'page'>>): BrowseState {
  return { ...state, ...changes, page: 1 }
}

/** Turns a flag on or off. Turning one on turns off its mutually exclusive partner. */
export function toggleFlag(flags: readonly Flag[], flag: Flag, isOn: boolean): Flag[] {
  const partner = partnerOf(flag)
  const others = flags.filter((each) => each !== flag && !(isOn && each === partner))
  return isOn ? FLAGS.filter((each) => each === flag || others.includes(each)) : others
}

export function isFiltered(state: BrowseState): boolean {
  return state.search !== '' || state.tags.length > 0 || state.flags.length > 0 || hasBehavior(state)
}

type Behavior = Pick<BrowseState, 'uses' | 'lacks' | 'hosts'>

export function hasBehavior({ uses, lacks, hosts }: Behavior): boolean {
  return uses.length > 0 || lacks.length > 0 || hosts.length > 0
}

/** The filters by behavior that are on as parameters of the URL and of the API. */
function behaviorOf({ uses, lacks, hosts }: Behavior): { uses?: string; lacks?: string; host?: string } {
  return {
    ...(uses.length > 0 ? { uses: uses.join(',') } : {}),
    ...(lacks.length > 0 ? { lacks: lacks.join(',') } : {}),
    ...(hosts.length > 0 ? { host: hosts.join(',') } : {}),
  }
}

/** The search text, #tags and filters by behavior as the search box shows them, without tags that contain a space. */
export function typedText(state: BrowseState): string {
  const behavior = Object.entries(behaviorOf(state)).map(([name, value]) => `${name}:${value}`)
  return [writeSearch({ search: state.search, tags: [...state.tags] }), ...behavior].filter(Boolean).join(' ')
}

/** The tags that cannot be typed in the search box. Its form sends them in a hidden field. */
export function untypedTags(state: BrowseState): string[] {
  return state.tags.filter((tag) => /\s/.test(tag))
}

type Filters = Omit<BrowseState, 'sort' | 'order' | 'page'>

/** The filters as API query parameters. Text and tags are sent only when not empty. */
export function filtersOf({ search, tags, flags, ...behavior }: Filters): CatalogueFilters {
  return {
    ...behaviorOf(behavior),
    ...(search ? { search } : {}),
    ...(tags.length > 0 ? { tags: tags.join(',') } : {}),
    ...(Object.fromEntries(flags.map((flag) => [flag, 'true'])) as Partial<Record<Flag, 'true'>>),
  }
}

export function listQueryOf(state: BrowseState): ListQuery {
  const { page, sort, order } = state
  return { page, limit: PAGE_SIZE, sort, order, ...filtersOf(state) }
}
