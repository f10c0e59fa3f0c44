import { foldTag } from '@scriptyard/text'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { MAX_HOST_FILTERS, readCapabilities, readHosts, splitBehaviorWords } from '#contract/behavior-search.ts'
import type { CatalogueFilters, Facets, ListQuery, TagCount } from '#contract/catalogue.ts'
import { FLAGS, type Flag, type Order, type Sort } from '#contract/catalogue-names.ts'
import { MAX_SEARCH_TAGS } from '#contract/limits.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { searchedWordsOf } from './words.ts'

export const MAX_SEARCH_WORDS = 16

/** The filter of a list. Words and tags are folded and distinct; words keep the order in which they were typed. */
export interface CatalogueFilter {
  words: string[]
  tags: string[]
  flags: Flag[]
  authorId: number | undefined
  /** Id of the game that the scripts are made for. */
  gameId: string | undefined
  minRating: number
  minViews: number
  /** Capabilities that the code must all have. With these and the next two, only scripts whose card is ready match. */
  uses: CapabilityId[]
  lacks: CapabilityId[]
  /** Hosts that the code must all contact, or subdomains of them. Sorted and distinct. */
  hosts: string[]
}

export interface CatalogueQuery extends CatalogueFilter {
  sort: Sort
  order: Order
  page: number
  limit: number
  /** Number of results before the first one, instead of `page`. */
  offset?: number
}

export const offsetOf = ({ offset, page, limit }: CatalogueQuery): number => offset ?? (page - 1) * limit

export interface CompletionQuery {
  /** Folded prefixes of words. */
  words: string[]
  /** The text as a folded prefix of a tag. */
  tag: string
}

/** Most downloaded scripts and most used tags first. */
export interface Completion {
  /** Scripts with all the words in their titles. */
  titles: number[]
  /** Scripts by author. Omits those with the name in the title or a tag: the index stores only a word's best field. */
  byAuthors: number[]
  tags: TagCount[]
}

export const MAX_COMPLETED_TITLES = 5
export const MAX_COMPLETED_TAGS = 5
export const MAX_FACET_TAGS = 20
/** Scripts that are read to find distinct authors. */
export const MAX_SCRIPTS_BY_AUTHORS = 40

export interface RelatedQuery {
  tags: string[]
  /** Their scripts, and thus the script itself, are left out. */
  author: number
  limit: number
}

export interface CatalogueResult {
  ids: number[]
  total: number
}

/** Public scripts of members in good standing. All implementations return the same ids, order and exact totals. */
export interface Catalogue {
  find(query: CatalogueQuery): Promise<CatalogueResult>
  facets(filter: CatalogueFilter): Promise<Facets>
  /** Tags in use, most used first. */
  tags(limit: number): Promise<TagCount[]>
  /** Corrected words for a search without results; undefined if there are none. */
  suggest(filter: CatalogueFilter): Promise<string[] | undefined>
  complete(query: CompletionQuery): Promise<Completion>
  /** The number of scripts of each of these games. */
  countGames(gameIds: readonly string[]): Promise<number[]>
  /** Ids of the scripts that share the most tags, weighted by rarity; then by downloads. */
  related(query: RelatedQuery): Promise<number[]>
}

/** Relevance score of a word prefix in the title, tags, author and description. */
export const FIELD_WEIGHTS = [8, 4, 2, 1] as const
export const WHOLE_WORD_FACTOR = 2

/** Throws AppError `invalid` for too many words, tags or hosts, unknown capabilities and texts that are no host. */
export function readFilter(query: CatalogueFilters): CatalogueFilter {
  const typed = splitBehaviorWords(query.search ?? '')
  const searched = searchedWordsOf(typed.text)
  if (searched.length > MAX_SEARCH_WORDS) throw invalidField('search', `Search for at most ${MAX_SEARCH_WORDS} words.`)
  const names = (query.tags ?? '').split(',').map(foldTag).filter(Boolean)
  const tags = [...new Set(names)].toSorted()
  if (tags.length > MAX_SEARCH_TAGS) throw invalidField('tags', `Search for at most ${MAX_SEARCH_TAGS} tags.`)
  return {
    words: distinct(searched),
    tags,
    flags: FLAGS.filter((flag) => query[flag] === 'true'),
    authorId: query.author,
    gameId: query.game,
    minRating: query.min_rating ?? 0,
    minViews: query.min_views ?? 0,
    uses: readIds('uses', [query.uses, ...typed.uses]),
    lacks: readIds('lacks', [query.lacks, ...typed.lacks]),
    hosts: readHostFilter([query.host, ...typed.hosts]),
  }
}

const distinct = (lists: string[][]): string[] => [...new Set(lists.flat())]

function readIds(field: 'uses' | 'lacks', lists: readonly (string | undefined)[]): CapabilityId[] {
  const { ids, unknown } = readCapabilities(lists.join())
  if (unknown !== undefined) {
    throw invalidField(field, 'Use known behaviors, separated by commas, such as net.webhook or code.remote.')
  }
  return ids
}

function readHostFilter(lists: readonly (string | undefined)[]): string[] {
  const { hosts, invalid } = readHosts(lists.join())
  if (invalid !== undefined) {
    throw invalidField('host', 'Enter the name of a host, such as pastebin.com.')
  }
  if (hosts.length > MAX_HOST_FILTERS) throw invalidField('host', `Search for at most ${MAX_HOST_FILTERS} hosts.`)
  return hosts
}

export function readQuery(query: ListQuery): CatalogueQuery {
  const { sort, order, page, limit } = query
  return { ...readFilter(query), sort, order, page, limit }
}

/** Parses a partial search without its filters by behavior. `#tag` is a tag. Of a long text, only the last words count. */
export function readCompletion(search: string): CompletionQuery {
  const { text } = splitBehaviorWords(search)
  return {
    words: distinct(searchedWordsOf(text).slice(-MAX_SEARCH_WORDS)),
    tag: foldTag(text),
  }
}

const filterKeys = new WeakMap<CatalogueFilter, string>()

/** Cache key: equivalent filters have the same one. Filters must not be mutated, because their keys are cached. */
export function filterKey(filter: CatalogueFilter): string {
  let key = filterKeys.get(filter)
  if (key === undefined) {
    key = makeFilterKey(filter)
    filterKeys.set(filter, key)
  }
  return key
}

function makeFilterKey(filter: CatalogueFilter): string {
  const { words, tags, flags, authorId, gameId, minRating, minViews, uses, lacks, hosts } = filter
  const texts = [words.toSorted(), tags, gameId ?? '', uses, lacks, hosts]
  return JSON.stringify([...texts, flags, authorId ?? 0, minRating, minViews])
}

export function queryKey(query: CatalogueQuery): string {
  return `list ${query.sort} ${query.order} ${query.page} ${query.limit} ${query.offset ?? ''} ${filterKey(query)}`
}
