import fc from 'fast-check'
import { sql } from 'kysely'
import { BEHAVIOR_STATUSES } from '#contract/behavior-names.ts'
import { ORDERS, SORTS } from '#contract/catalogue-names.ts'
import type { Database } from '#server/platform/db/database.ts'
import { makeMember, makeScript } from './factories.ts'
import { FLAG_TESTS, type NaiveBehavior, type NaiveScript } from './naive-catalogue.ts'

const WORDS = [
  'Éclair',
  'ÉCLAIR',
  'e\u0301clair',
  'eclairs',
  'straße',
  'ﬁsh',
  'fish',
  'İstanbul',
  'ΟΔΟΣ',
  'οδοσα',
  '日本語',
  '日本',
  '한국',
  'नमस्ते',
  'ＦＵＬＬ',
  'full_width',
  '𝒳',
  '😀',
  'x_1',
  'a',
  '2²',
  "it's",
  'a\\b',
  '&!|:*()',
  'АБВ',
  'абвг',
]
export const TAGS = ['ui', 'UI ', 'Éclair', 'eclair', 'esp', '日本', 'two words', "o'clock"]
const isStorable = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text)

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter(isStorable) },
)
export const randomText = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' ').slice(0, 90).toWellFormed())
const few = fc.nat(3)

const CAPABILITIES = [
  'net.get',
  'net.send',
  'net.webhook',
  'code.remote',
  'shape.obfuscated',
  'needs.executor',
] as const
const HOSTS = ['discord.com', 'ptb.discord.com', 'notdiscord.com', 'a.b.c.d.e.f.g.h.i.discord.com', '[::1]']
const randomBehavior: fc.Arbitrary<NaiveBehavior> = fc.record({
  status: fc.constantFrom(...BEHAVIOR_STATUSES, 'ready', 'ready', 'ready'),
  compiles: fc.constantFrom(true, true, false, null),
  capabilities: fc.subarray([...CAPABILITIES]),
  hosts: fc.subarray(HOSTS, { maxLength: 2 }),
})
export const randomScript = fc.record({
  title: randomText,
  summary: fc.option(randomText, { freq: 2 }),
  description: randomText,
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 4 }),
  author: fc.nat(4),
  day: few,
  updatedAfter: few,
  showcasedOn: fc.option(few),
  views: few,
  downloads: few,
  fiveStar: few,
  oneStar: few,
  isPublic: fc.nat(6).map((number) => number > 0),
  is_free: fc.boolean(),
  has_key_system: fc.boolean(),
  is_universal: fc.boolean(),
  is_client_side: fc.boolean(),
  is_featured: fc.boolean(),
  is_verified: fc.boolean(),
  is_mobile_compatible: fc.boolean(),
  is_working: fc.boolean(),
  behavior: fc.option(randomBehavior, { freq: 4 }),
})

export type RandomScript = typeof randomScript extends fc.Arbitrary<infer Script> ? Script : never

export const AUTHORS = [
  { display_name: 'Zoë' },
  { display_name: 'ΟΔΟΣ ltd' },
  { display_name: null, username: 'plain_name' },
  { display_name: 'Gone', banned_until: 'infinity' },
  { display_name: 'Back again', banned_until: new Date(Date.UTC(2020, 0, 1)) },
]
export const BANNED_AUTHOR = 3

export const makeAuthors = (db: Database) => Promise.all(AUTHORS.map((author) => makeMember(db, author)))

const date = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))

const WORKS_UNTIL = [null, new Date(Date.UTC(2020, 0, 1)), new Date(Date.UTC(2100, 0, 1))]

export function statsOf({ views, downloads, fiveStar, oneStar }: RandomScript): NaiveScript['stats'] {
  const trend = ((views * 31 + downloads) % 7) / 4
  const works_until = WORKS_UNTIL[(views + 3 * downloads + fiveStar) % WORKS_UNTIL.length] ?? null
  return { view_count: views, download_count: downloads, five_star: fiveStar, one_star: oneStar, trend, works_until }
}

/** Inserts a script and returns it in the form of the naive catalogue. */
export async function insertScript(
  db: Database,
  authors: readonly number[],
  script: RandomScript,
): Promise<NaiveScript> {
  const {
    author,
    day,
    updatedAfter,
    showcasedOn,
    views: _v,
    downloads: _d,
    fiveStar: _f,
    oneStar: _o,
    isPublic,
    behavior,
    ...rest
  } = script
  const authorName = AUTHORS[author]?.display_name ?? 'plain_name'
  const row = { ...rest, is_public: isPublic, created_at: date(day), updated_at: date(day + updatedAfter) }
  const showcase_date = showcasedOn === null ? null : date(showcasedOn)
  const stats = statsOf(script)
  const author_id = authors[author] ?? 0
  const id = await makeScript(db, { ...row, showcase_date, author_id, authorName, stats })
  if (behavior) await writeBehavior(db, id, behavior)
  const isListed = isPublic && author !== BANNED_AUTHOR
  return { ...row, behavior, showcase_date, author_id, authorName, stats, id, isListed }
}

export async function writeBehavior(db: Database, scriptId: number, behavior: NaiveBehavior): Promise<void> {
  const sha256 = sql<string>`(select v.sha256 from script_versions v join scripts s on s.id = v.script_id
    and v.number = s.current_version where s.id = ${scriptId})`
  const row = { ...behavior, script_id: scriptId, sha256, analyzer_version: 1 }
  await db
    .insertInto('script_behaviors')
    .values(row)
    .onConflict((conflict) => conflict.column('script_id').doUpdateSet(row))
    .execute()
}

const capabilityList = fc
  .subarray([...CAPABILITIES, 'fs.read'], { minLength: 1, maxLength: 2 })
  .map((ids) => ids.join(','))
const behaviorFilters = {
  uses: capabilityList,
  lacks: capabilityList,
  host: fc.constantFrom(...HOSTS, 'b.c.d.e.f.g.h.i.discord.com', 'c.d.e.f.g.h.i.discord.com', 'pastebin.com'),
}
const filters = {
  search: fc.oneof(
    randomText,
    word,
    word,
    word.map((one) => one.slice(0, 2).toWellFormed()),
  ),
  tags: fc.array(fc.constantFrom(...TAGS), { minLength: 1, maxLength: 2 }).map((tags) => tags.join(',')),
  author: fc.integer({ min: 1, max: 6 }),
  min_rating: fc.constantFrom(0, 1, 2.5, 3, 5),
  min_views: fc.nat(4),
}
const order = {
  sort: fc.constantFrom(...SORTS),
  order: fc.constantFrom(...ORDERS),
  page: fc.constantFrom(1, 1, 1, 2, 3, 50),
  limit: fc.constantFrom(1, 7, 20, 100),
}
const randomBehaviorQuery = fc
  .record(
    { flags: fc.subarray([...FLAG_TESTS.keys()], { maxLength: 1 }), ...behaviorFilters, ...order },
    { requiredKeys: ['flags'] },
  )
  .filter(({ uses, lacks, host }) => [uses, lacks, host].some((filter) => filter !== undefined))

const someFlags = fc.subarray([...FLAG_TESTS.keys()], { maxLength: 3 })
// Mostly one kind of filter at a time: combined filters rarely match anything.
export const randomQuery = fc.oneof(
  fc.record({ flags: someFlags, ...order }),
  fc.record({ flags: fc.constant([]), search: filters.search, ...order }),
  randomBehaviorQuery,
  fc.record(
    { flags: fc.subarray([...FLAG_TESTS.keys()], { maxLength: 1 }), ...filters, ...order },
    { requiredKeys: ['flags'] },
  ),
)
