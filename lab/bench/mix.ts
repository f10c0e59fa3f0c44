import { SORTS } from '#contract/catalogue-names.ts'
import { Random, Zipf } from '../../scripts/synthetic/random.ts'
import { makeVocabulary } from '../../scripts/synthetic/vocabulary.ts'

const DISTINCT = 2000
const SEQUENCE_LENGTH = 20_000
/** Cards per page, for responses of about 12 KB. */
const LIMIT = 10
const FLAGS = [
  'free_only',
  'no_keysystem',
  'mobile_compatible',
  'universal_only',
  'verified_creators',
  'client_side_only',
]
const BEHAVIOR_FLAGS = ['no_remote_code', 'sends_no_data', 'readable_code', 'no_executor', 'compiles']
const CAPABILITIES: [string, ...string[]] = ['net.webhook', 'code.remote', 'net.send', 'fs.write', 'user.key']
const HOSTS: [string, ...string[]] = ['github.com', 'pastebin.com', 'discord.com', 'raw.githubusercontent.com']
const BROWSE_SORTS = SORTS.filter((sort) => sort !== 'relevance')

/** 2,000 distinct list requests as visitors send them: some words, tags, flags and behaviors, all sorts, mostly first pages. */
export function makeMix(scripts: number, seed: number): string[] {
  const random = new Random(seed)
  const tags = makeVocabulary(Math.min(2000, Math.max(40, Math.ceil(scripts / 200))), 2)
  const words = makeVocabulary(Math.min(50_000, Math.max(500, scripts)), 3)
  const [tagRanks, wordRanks] = [new Zipf(tags.length), new Zipf(words.length)]
  const paths = new Set<string>()
  while (paths.size < DISTINCT) {
    const query = new URLSearchParams()
    if (random.chance(0.4)) query.set('search', words[wordRanks.pick(random)] ?? '')
    if (random.chance(0.3)) query.set('tags', tags[tagRanks.pick(random)] ?? '')
    for (const flag of FLAGS) if (random.chance(0.2)) query.set(flag, 'true')
    if (random.chance(0.1)) query.set('min_views', String(100 * random.between(1, 9)))
    for (const flag of BEHAVIOR_FLAGS) if (random.chance(0.06)) query.set(flag, 'true')
    for (const name of ['uses', 'lacks']) if (random.chance(0.08)) query.set(name, random.pick(CAPABILITIES))
    if (random.chance(0.05)) query.set('host', random.pick(HOSTS))
    const sorts = query.has('search') ? SORTS : BROWSE_SORTS
    query.set('sort', sorts[random.between(0, sorts.length - 1)] ?? '')
    if (random.chance(0.2)) query.set('order', 'asc')
    if (random.chance(0.25)) query.set('page', String(random.between(2, 40)))
    query.set('limit', String(LIMIT))
    paths.add(`/api/scripts?${query}`)
  }
  return [...paths]
}

/** A sequence of requests with a Zipf distribution, the first paths most often. */
export function pickSequence(paths: readonly string[], seed: number): string[] {
  const random = new Random(seed)
  const ranks = new Zipf(paths.length)
  return Array.from({ length: SEQUENCE_LENGTH }, () => paths[ranks.pick(random)] ?? '/')
}
