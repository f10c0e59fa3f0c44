import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { ORDERS, SORTS } from '#contract/catalogue-names.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/makers.ts'
import { findNaively, FLAG_TESTS, type NaiveScript } from '#tests/support/naive-catalogue.ts'

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
const TAGS = ['ui', 'UI ', 'Éclair', 'eclair', 'esp', '日本', 'two words', "o'clock"]
const isStorable = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text)

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter(isStorable) },
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ').slice(0, 90).toWellFormed())
const few = fc.nat(3)
const script = fc.record({
  title: text,
  description: text,
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 4 }),
  author: fc.nat(4),
  day: few,
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
})

// A fixed catalogue; the questions to it are new in every run.
const catalogue = fc.sample(script, { seed: 20_260_101, numRuns: 120 })
const known: NaiveScript[] = []
const AUTHORS = [
  { display_name: 'Zoë' },
  { display_name: 'ΟΔΟΣ ltd' },
  { display_name: null, username: 'plain_name' },
  { display_name: 'Gone', banned_until: 'infinity' },
  { display_name: 'Back again', banned_until: new Date(Date.UTC(2020, 0, 1)) },
]
const BANNED_AUTHOR = 3

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const authors: number[] = []
  for (const author of AUTHORS) authors.push(await makeMember(site.db, author))
  const date = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))
  for (const { author, day, showcasedOn, views, downloads, fiveStar, oneStar, isPublic, ...rest } of catalogue) {
    const authorName = AUTHORS[author]?.display_name ?? 'plain_name'
    const row = { ...rest, is_public: isPublic, created_at: date(day) }
    const showcase_date = showcasedOn === null ? null : date(showcasedOn)
    const counts = { view_count: views, download_count: downloads, five_star: fiveStar, one_star: oneStar }
    const stats = { ...counts, trend: ((views * 31 + downloads) % 7) / 4 }
    const author_id = authors[author] ?? 0
    const id = await makeScript(site.db, { ...row, showcase_date, author_id, authorName, stats })
    const isListed = isPublic && author !== BANNED_AUTHOR
    known.push({ ...row, showcase_date, author_id, authorName, stats, id, isListed })
  }
})
afterAll(() => site.close())

const filters = {
  search: fc.oneof(
    text,
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
const someFlags = fc.subarray([...FLAG_TESTS.keys()], { maxLength: 3 })
// Mostly one kind of filter at a time: together they leave nothing.
const query = fc.oneof(
  fc.record({ flags: someFlags, ...order }),
  fc.record({ flags: fc.constant([]), search: filters.search, ...order }),
  fc.record(
    { flags: fc.subarray([...FLAG_TESTS.keys()], { maxLength: 1 }), ...filters, ...order },
    { requiredKeys: ['flags'] },
  ),
)

test('every answer is what a plain walk over all scripts gives, with the same ids in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(query, async ({ flags, ...given }) => {
      const entries = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)])
      const url = `/api/scripts?${new URLSearchParams([...entries, ...flags.map((flag) => [flag, 'true'])])}`
      const answer = await site.app.inject(url)
      expect(answer.statusCode, answer.payload).toBe(200)
      const { scripts, pagination } = answer.json<ScriptList>()
      const expected = findNaively(known, { ...given, flags })
      expect({ ids: scripts.map(({ id }) => id), total: pagination.total }).toEqual(expected)
      expect(pagination.pages).toBe(Math.ceil(expected.total / pagination.limit))
    }),
    { numRuns: 400 },
  )
})
