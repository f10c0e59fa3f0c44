import { searchedWordsOf, wordsOf } from '#server/features/catalogue/words.ts'
import type { BehaviorStatus, CapabilityId } from '#contract/behavior-names.ts'
import type { Flag, Order, Sort } from '#contract/catalogue-names.ts'

export interface NaiveScript {
  id: number
  isListed: boolean
  title: string
  summary: string | null
  description: string
  tags: string[]
  author_id: number
  authorName: string
  created_at: Date
  updated_at: Date
  showcase_date: Date | null
  stats: {
    view_count: number
    download_count: number
    five_star: number
    one_star: number
    trend: number
    works_until: Date | null
  }
  is_free: boolean
  has_key_system: boolean
  is_universal: boolean
  is_client_side: boolean
  is_featured: boolean
  is_verified: boolean
  is_mobile_compatible: boolean
  is_working: boolean
  /** What the card of the current version found; null without a card. */
  behavior: NaiveBehavior | null
}

export interface NaiveBehavior {
  status: BehaviorStatus
  compiles: boolean | null
  capabilities: CapabilityId[]
  hosts: string[]
}

export interface NaiveQuery {
  search?: string
  tags?: string
  author?: number
  min_rating?: number
  min_views?: number
  uses?: string
  lacks?: string
  host?: string
  flags: readonly Flag[]
  sort?: Sort
  order?: Order
  page?: number
  limit?: number
}

const findReady = ({ behavior }: NaiveScript) => (behavior?.status === 'ready' ? behavior : undefined)
const lacksAll = (script: NaiveScript, ids: readonly string[]) =>
  findReady(script)?.capabilities.every((id) => !ids.includes(id)) === true
const usesAll = (script: NaiveScript, ids: readonly string[]) =>
  ids.every((id) => findReady(script)?.capabilities.some((found) => found === id) === true)
const contacts = (script: NaiveScript, wanted: string) =>
  findReady(script)?.hosts.some((host) => host === wanted || (isShort(wanted) && host.endsWith(`.${wanted}`))) === true
/** Longer names are found as a whole only. */
const isShort = (host: string) => host.split('.').length <= 8

export const FLAG_TESTS: ReadonlyMap<Flag, (script: NaiveScript) => boolean> = new Map([
  ['featured', (script) => script.is_featured],
  ['no_keysystem', (script) => !script.has_key_system],
  ['free_only', (script) => script.is_free],
  ['paid_only', (script) => !script.is_free],
  ['universal_only', (script) => script.is_universal],
  ['game_specific_only', (script) => !script.is_universal],
  ['client_side_only', (script) => script.is_client_side],
  ['fe_only', (script) => !script.is_client_side],
  ['verified_creators', (script) => script.is_verified],
  ['mobile_compatible', (script) => script.is_mobile_compatible],
  ['working_scripts', (script) => script.is_working],
  ['showcased', (script) => script.showcase_date !== null],
  ['no_remote_code', (script) => lacksAll(script, ['code.remote'])],
  ['sends_no_data', (script) => lacksAll(script, ['net.send', 'net.webhook', 'net.exfiltration'])],
  ['readable_code', (script) => lacksAll(script, ['shape.obfuscated'])],
  ['no_executor', (script) => lacksAll(script, ['needs.executor'])],
  ['compiles', (script) => findReady(script)?.compiles === true],
  ['works_now', ({ stats }) => stats.works_until !== null && stats.works_until > new Date()],
])

// Independent of the code under test: works character by character, so that both do not share a bug.
const titleKey = (text: string) =>
  Array.from(text.normalize('NFKD'))
    .flatMap((character) => Array.from(character.toLowerCase().normalize('NFKD')))
    .filter((character) => !/\p{M}/u.test(character))
    .join('')
const known = new Map<string, string[]>()
/** What a word is has tests of its own (words.test.ts). */
function words(text: string): string[] {
  const found = known.get(text) ?? wordsOf(text)
  known.set(text, found)
  return found
}
const tagNames = (tags: string[]) => tags.map((tag) => tag.trim().toLowerCase()).filter(Boolean)
const ratings = ({ stats }: NaiveScript) => stats.five_star + stats.one_star
const average = (script: NaiveScript) =>
  ratings(script) === 0 ? 0 : (5 * script.stats.five_star + script.stats.one_star) / ratings(script)

function isWanted(script: NaiveScript, query: NaiveQuery): boolean {
  const tags = tagNames(script.tags)
  const hasWords = (text: string) => {
    const all = [script.title, script.summary ?? '', script.description, script.authorName, ...script.tags].flatMap(
      words,
    )
    return searchedWordsOf(text)
      .flat()
      .every((wanted) => all.some((word) => word.startsWith(wanted)))
  }
  return (
    script.isListed &&
    (query.tags === undefined || tagNames(query.tags.split(',')).every((tag) => tags.includes(tag))) &&
    (query.author === undefined || query.author === script.author_id) &&
    average(script) >= (query.min_rating ?? 0) &&
    script.stats.view_count >= (query.min_views ?? 0) &&
    (query.uses === undefined || usesAll(script, query.uses.split(','))) &&
    (query.lacks === undefined || lacksAll(script, query.lacks.split(','))) &&
    (query.host === undefined || contacts(script, query.host)) &&
    query.flags.every((flag) => FLAG_TESTS.get(flag)?.(script)) &&
    (query.search === undefined || hasWords(query.search))
  )
}

/** Sum over the searched words of the best field weight; a whole-word match counts twice. */
function relevance({ title, tags, authorName, summary, description }: NaiveScript, wanted: string[]): number {
  const fields = [
    { weight: 8, content: words(title) },
    { weight: 4, content: tags.flatMap(words) },
    { weight: 2, content: words(authorName) },
    { weight: 1, content: words(`${summary ?? ''} ${description}`) },
  ]
  let sum = 0
  for (const word of new Set(wanted)) {
    const weights = fields.flatMap(({ weight, content }) =>
      content.filter((one) => one.startsWith(word)).map((one) => (one === word ? 2 * weight : weight)),
    )
    sum += Math.max(0, ...weights)
  }
  return sum
}

/** Sort keys, most significant first. Texts are compared by code point. */
const KEYS: Record<Sort, (script: NaiveScript, query: NaiveQuery) => number[]> = {
  created_at: (script) => [script.created_at.getTime()],
  updated_at: (script) => [script.updated_at.getTime()],
  download_count: (script) => [script.stats.download_count],
  rating_average: (script) => [average(script), ratings(script)],
  view_count: (script) => [script.stats.view_count],
  title: (script) => Array.from(titleKey(script.title), (character) => character.codePointAt(0) ?? 0),
  // Bayesian average with ten votes of three stars.
  score: (script) => [
    (30 + 5 * script.stats.five_star + script.stats.one_star) / (10 + ratings(script)),
    ratings(script),
  ],
  trending: (script) => [script.stats.trend],
  relevance: (script, query) => [
    relevance(script, searchedWordsOf(query.search ?? '').flat()),
    script.stats.download_count,
  ],
  showcase_date: (script) => [script.showcase_date?.getTime() ?? -Infinity],
}

function compare(a: number[], b: number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one = -Infinity, other = -Infinity] = [a[i], b[i]]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** The page of scripts that matches a query, found by checking every script. */
export function findNaively(scripts: NaiveScript[], query: NaiveQuery): { ids: number[]; total: number } {
  const { sort = 'created_at', order = 'desc', page = 1, limit = 20 } = query
  const direction = order === 'asc' ? 1 : -1
  const found = scripts
    .filter((script) => isWanted(script, query))
    .map((script) => ({ id: script.id, keys: KEYS[sort](script, query) }))
    .toSorted((a, b) => direction * (compare(a.keys, b.keys) || a.id - b.id))
  const ids = found.slice((page - 1) * limit, page * limit).map(({ id }) => id)
  return { ids, total: found.length }
}
