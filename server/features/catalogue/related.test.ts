import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RelatedScripts } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

describe.each(['memory', 'database'] as const)('with the catalogue in %s', (catalogueIndex) => {
  let site: TestApp
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    site = await createTestApp({ catalogueIndex })
    const { db } = site
    const [author, other, banned] = [
      await makeMember(db),
      await makeMember(db),
      await makeMember(db, { banned_until: 'infinity' }),
    ]
    const make = async (name: string, values: Parameters<typeof makeScript>[1]) => {
      ids[name] = await makeScript(db, { title: name, author_id: other, ...values })
    }
    await make('one', { author_id: author, tags: ['camera', 'ui'] })
    await make('closest', { tags: ['camera', 'ui', 'menu'] })
    await make('rare', { tags: ['camera'] })
    for (let i = 0; i < 6; i++) await make(`common ${i}`, { tags: ['ui'], stats: { download_count: i } })
    await make('private', { tags: ['camera', 'ui'], is_public: false })
    await make('banned', { tags: ['camera', 'ui'], author_id: banned })
    await make('unrelated', { tags: ['menu'] })
    for (let i = 0; i < 4; i++) {
      await make(`own ${i}`, { author_id: author, tags: ['camera', 'ui'], stats: { download_count: i } })
    }
    site.catalogue.invalidateAll()
    if (catalogueIndex === 'memory') await vi.waitUntil(() => site.catalogue.isInMemory)
  })
  afterAll(() => site.close())

  const read = async (id: number | undefined) => {
    const response = await site.app.inject(`/api/related-scripts?id=${id}`)
    expect(response.statusCode).toBe(200)
    return response.json<RelatedScripts>()
  }

  test('similar scripts share tags; rare tags count more than common ones, then downloads decide', async () => {
    const { similar } = await read(ids['one'])
    expect(similar.map(({ title }) => title)).toEqual([
      'closest',
      'rare',
      'common 5',
      'common 4',
      'common 3',
      'common 2',
    ])
    expect(Object.keys(similar[0] ?? {}).toSorted()).toEqual([
      'author_name',
      'author_slug',
      'download_count',
      'id',
      'image_card',
      'rating_average',
      'rating_count',
      'slug',
      'title',
      'warning',
    ])
  })

  test("the author's other scripts come with their number, most downloaded first", async () => {
    const { by_author, by_author_total } = await read(ids['one'])
    expect(by_author.map(({ title }) => title)).toEqual(['own 3', 'own 2', 'own 1'])
    expect(by_author_total).toBe(4)
  })

  test('a script without tags has no similar scripts', async () => {
    const id = await makeScript(site.db)
    expect(await read(id)).toEqual({ similar: [], by_author: [], by_author_total: 0 })
  })

  test('nothing is related to a private or a missing script', async () => {
    const nothing = { similar: [], by_author: [], by_author_total: 0 }
    expect(await read(ids['private'])).toEqual(nothing)
    expect(await read(999_999)).toEqual(nothing)
  })
})
