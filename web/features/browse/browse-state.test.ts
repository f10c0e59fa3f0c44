import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import { EXCLUSIVE_FLAGS, FLAGS, type Flag, ORDERS } from '#contract/catalogue-names.ts'
import { MAX_PAGE } from '#contract/limits.ts'
import {
  BROWSE_SORTS,
  type BrowseState,
  change,
  DEFAULT_STATE,
  isFiltered,
  readBrowse,
  toggleFlag,
  typedText,
  untypedTags,
  writeBrowse,
} from './browse-state.ts'

const read = (query: string) => readBrowse(new URLSearchParams(query))

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const words = fc.array(
  text.filter((word) => !/[\s\p{Cc}]/u.test(word) && !/^(?:#|tag:)/.test(word)),
  { maxLength: 4 },
)
const tag = text
  .map((name) =>
    name
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replaceAll(',', '')
      .trim()
      .toLowerCase(),
  )
  .filter(Boolean)
const flags = fc
  .array(fc.constantFrom(...FLAGS))
  .map((names) => names.reduce<Flag[]>((on, flag) => toggleFlag(on, flag, true), []))

const capabilities = fc.subarray(CAPABILITY_IDS, { maxLength: 3 })
const state: fc.Arbitrary<BrowseState> = fc.record({
  search: words.map((each) => each.join(' ')),
  tags: fc.uniqueArray(tag, { maxLength: 4 }),
  flags,
  uses: capabilities,
  lacks: capabilities,
  hosts: fc
    .uniqueArray(fc.constantFrom('pastebin.com', 'a-b.c_d.io', 'localhost', '[::1]'), { maxLength: 3 })
    .map((hosts) => hosts.toSorted()),
  sort: fc.constantFrom(...BROWSE_SORTS),
  order: fc.constantFrom(...ORDERS),
  page: fc.integer({ min: 1, max: MAX_PAGE }),
})

describe('the query string', () => {
  test('round-trips every state', () => {
    fc.assert(
      fc.property(state, (each) => {
        expect(read(writeBrowse(each))).toEqual(each)
      }),
    )
  })

  test('parses any input without failing and is then stable', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const once = read(query)
        expect(read(writeBrowse(once))).toEqual(once)
      }),
    )
  })

  test('is empty for the default state', () => {
    expect(writeBrowse(DEFAULT_STATE)).toBe('')
    expect(read('')).toEqual(DEFAULT_STATE)
  })

  test('lists every difference from the default state, unescaped where possible', () => {
    const query =
      '?search=double+jump&tags=ui,movement&free_only=true&uses=net.get,net.send&lacks=fs.write&host=pastebin.com&sort=title&order=asc&page=3'
    expect(writeBrowse(read(query))).toBe(query)
  })

  test.each([
    ['search=%23ui+menu', { search: 'menu', tags: ['ui'] }],
    ['search=tag%3AUI+%23game&tags=Game,+big+maps+,,', { tags: ['game', 'big maps', 'ui'] }],
    ['sort=size&order=up&page=-1', {}],
    ['sort=showcase_date', {}],
    ['search=a%00b%0D%0A+c&tags=big%00%0Amaps', { search: 'a b c', tags: ['big maps'] }],
    ['page=0', {}],
    ['page=2147483648', {}],
    ['page=1e3', {}],
    ['page=7', { page: 7 }],
    ['free_only=1&paid_only=false&fe_only=true', { flags: ['fe_only'] }],
    ['paid_only=true&free_only=true', { flags: ['free_only'] }],
    ['mobile_compatible=true&working_scripts=true', { flags: ['mobile_compatible', 'working_scripts'] }],
    ['sort=&order=&search=&tags=&page=', {}],
    ['uses=net.webhook,code.remote,none&lacks=', { uses: ['net.webhook', 'code.remote'] }],
    ['host=Pastebin.com,_,discord.com', { hosts: ['discord.com', 'pastebin.com'] }],
    [
      'search=jump+host:pastebin.com+uses:net.get+lacks:shape.minified+uses:sword',
      { search: 'jump uses:sword', uses: ['net.get'], lacks: ['shape.minified'], hosts: ['pastebin.com'] },
    ],
  ])('parses ?%s', (query, expected) => {
    expect(read(query)).toEqual({ ...DEFAULT_STATE, ...expected })
  })
})

describe('the search box', () => {
  test('shows text and tags together and sends the other tags in a hidden field', () => {
    fc.assert(
      fc.property(state, (each) => {
        const sent = new URLSearchParams({ search: typedText(each), tags: untypedTags(each).join(',') })
        const { search, tags, uses, lacks, hosts } = readBrowse(sent)
        expect({ search, uses, lacks, hosts }).toEqual({
          search: each.search,
          uses: each.uses,
          lacks: each.lacks,
          hosts: each.hosts,
        })
        expect(tags.toSorted()).toEqual(each.tags.toSorted())
      }),
    )
  })
})

describe('flags', () => {
  test.each(EXCLUSIVE_FLAGS.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))(
    'turn %s off when %s is turned on',
    (was, now) => {
      expect(toggleFlag([was, 'featured'], now, true)).toEqual(['featured', now])
    },
  )

  test('leave the other flags unchanged', () => {
    expect(toggleFlag(['free_only', 'fe_only'], 'universal_only', true)).toEqual([
      'free_only',
      'universal_only',
      'fe_only',
    ])
    expect(toggleFlag(['free_only', 'fe_only'], 'free_only', false)).toEqual(['fe_only'])
    expect(toggleFlag(['free_only'], 'paid_only', false)).toEqual(['free_only'])
  })

  test('never include both of an exclusive pair', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...FLAGS), fc.boolean())), (steps) => {
        const on = steps.reduce<Flag[]>((all, [flag, isOn]) => toggleFlag(all, flag, isOn), [])
        for (const [one, other] of EXCLUSIVE_FLAGS) expect(on.includes(one) && on.includes(other)).toBe(false)
      }),
    )
  })
})

test('a change returns to page 1', () => {
  expect(change({ ...DEFAULT_STATE, page: 9 }, { sort: 'title' })).toEqual({ ...DEFAULT_STATE, sort: 'title' })
})

test.each([
  [{}, false],
  [{ sort: 'title', order: 'asc', page: 4 } as const, false],
  [{ search: 'jump' }, true],
  [{ tags: ['ui'] }, true],
  [{ flags: ['featured'] } as const, true],
  [{ uses: ['net.get'] } as const, true],
  [{ lacks: ['net.get'] } as const, true],
  [{ hosts: ['pastebin.com'] }, true],
])('%j counts as filtered: %s', (changes, expected) => {
  expect(isFiltered({ ...DEFAULT_STATE, ...changes })).toBe(expected)
})
