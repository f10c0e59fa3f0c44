import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { SORTS } from '#contract/catalogue-names.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
  const author = await makeMember(site.db, { username: 'Zoë_K', display_name: 'Zoë' })
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  const many = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  for (const number of many) {
    await makeScript(site.db, {
      author_id: author,
      authorName: 'Zoë',
      // Four scripts with each title and each view count, so that every order has ties.
      title: ['Camera Shake', 'Éclair Menu', 'double jump'][number % 3] ?? '',
      description: `Number ${number} for obby_games.`,
      tags: number % 2 === 0 ? ['ui', 'Even'] : ['ui'],
      created_at: day(Math.ceil(number / 3)),
      is_free: number % 4 !== 0,
      has_key_system: number === 5,
      is_featured: number === 7,
      stats: {
        view_count: (number % 3) * 100,
        download_count: number % 2,
        five_star: number % 3,
        one_star: number % 2,
      },
    })
  }
})
afterAll(() => site.close())

async function list(query: string): Promise<ScriptList> {
  const response = await site.app.inject(`/api/scripts?${query}`)
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<ScriptList>()
}
const idsOf = ({ scripts }: ScriptList) => scripts.map((script) => script.id)

describe('the list of scripts', () => {
  test('returns the newest 20 scripts first with exact totals', async () => {
    const all = await list('')
    expect(all.pagination).toEqual({ page: 1, limit: 20, total: 12, pages: 1 })
    expect(idsOf(all)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test.each(SORTS)('returns pages by %s that never overlap, in reverse order when ascending', async (sort) => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`sort=${sort}&limit=5&page=${page}`)))
    const descending = pages.flatMap(idsOf)
    expect(new Set(descending).size).toBe(12)
    expect(idsOf(await list(`sort=${sort}&order=asc&limit=100`))).toEqual(descending.toReversed())
  })

  test('orders equal keys by id', async () => {
    const { scripts } = await list('sort=view_count&limit=100')
    const keys = scripts.map(({ view_count, id }) => [view_count, id])
    expect(keys).toEqual(keys.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => b - a || y - x))
  })

  test('returns the same order with one script per page and all on one page', async () => {
    const all = await list('limit=100')
    expect(all.pagination).toEqual({ page: 1, limit: 100, total: 12, pages: 1 })
    const single = await Promise.all(all.scripts.map((_script, index) => list(`limit=1&page=${index + 1}`)))
    expect(single.flatMap(idsOf)).toEqual(idsOf(all))
    expect(single[0]?.pagination).toEqual({ page: 1, limit: 1, total: 12, pages: 12 })
  })

  test('sorts scripts without a showcase date last, and first when ascending', async () => {
    await site.db.updateTable('scripts').set({ showcase_date: new Date() }).where('id', '=', 3).execute()
    site.catalogue.invalidate([3])
    expect(idsOf(await list('sort=showcase_date'))[0]).toBe(3)
    expect(idsOf(await list('sort=showcase_date&order=asc')).at(-1)).toBe(3)
    await site.db.updateTable('scripts').set({ showcase_date: null }).where('id', '=', 3).execute()
    site.catalogue.invalidate([3])
  })

  test('truncates long descriptions between characters', async () => {
    const long = '😀'.repeat(300)
    await site.db.updateTable('scripts').set({ description: long }).where('id', '=', 1).execute()
    site.catalogue.invalidate([1])
    const { scripts } = await list('order=asc&limit=1')
    expect(scripts[0]?.description).toBe(`${'😀'.repeat(260)}…`)
  })

  test('orders titles case-insensitively and accent-insensitively', async () => {
    const titles = (await list('sort=title&order=asc')).scripts.map((script) => script.title)
    expect([...new Set(titles)]).toEqual(['Camera Shake', 'double jump', 'Éclair Menu'])
  })

  test('orders equal ratings by their number', async () => {
    const { scripts } = await list('sort=rating_average')
    const keys = scripts.map((script) => script.rating_average * 1000 + script.rating_count)
    expect(keys).toEqual(keys.toSorted((a, b) => b - a))
  })

  test('is empty past the end, with the correct number of pages', async () => {
    expect(await list('page=9&limit=5')).toEqual({
      scripts: [],
      pagination: { page: 9, limit: 5, total: 12, pages: 3 },
    })
  })

  test.each([
    ['free_only=true', 9],
    ['paid_only=true', 3],
    ['free_only=false', 12],
    ['free_only=true&paid_only=true', 0],
    ['no_keysystem=true', 11],
    ['featured=true', 1],
    ['showcased=true', 0],
    ['tags=even', 6],
    ['tags=EVEN,ui', 6],
    ['tags=,,', 12],
    ['tags=nothing', 0],
    ['min_views=200', 4],
    ['min_rating=5', 4],
    ['author=1', 12],
    ['author=999', 0],
    ['search=', 12],
    ['search=!!!', 0],
    ['search=eclair', 4],
    ['search=ÉCL', 4],
    ['search=shake cam', 4],
    ['search=cam jump', 0],
    ['search=obby_g', 12],
    ['search=even', 6],
    ['search=zoe', 12],
    ['search=7', 1],
    ['search=amera', 0],
    ['search=eclair&tags=even&free_only=true', 1],
  ])('filtered by %s contains %d scripts', async (query, total) => {
    const found = await list(query)
    expect(found.pagination.total).toBe(total)
    expect(found.scripts).toHaveLength(Math.min(total, 20))
  })
})
