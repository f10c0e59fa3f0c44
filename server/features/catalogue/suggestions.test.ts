import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScriptList, SearchSuggestions } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp

async function plant(): Promise<void> {
  const { db } = site
  const zoe = await makeMember(db, { display_name: 'Zoë Dragonfly', slug: 'zoe' })
  const banned = await makeMember(db, { display_name: 'Dragon Banned', banned_until: 'infinity' })
  const by = { author_id: zoe, authorName: 'Zoë Dragonfly' }
  await makeScript(db, { ...by, title: 'Dragon wings', tags: ['fly', 'drawing'], stats: { download_count: 5 } })
  await makeScript(db, { ...by, title: 'A red dragon', tags: ['fly'], stats: { download_count: 9 } })
  await makeScript(db, { ...by, title: 'Inventory', description: 'For dragons and animations.', is_free: false })
  await makeScript(db, { title: 'Hidden dragon', is_public: false, tags: ['drafts'] })
  await makeScript(db, {
    author_id: banned,
    authorName: 'Dragon Banned',
    title: 'Dragon of the banned',
    tags: ['dread'],
  })
}

const suggest = async (q: string) =>
  (await site.app.inject(`/api/search-suggestions?${new URLSearchParams({ q })}`)).json<SearchSuggestions>()
const list = async (query: string) => (await site.app.inject(`/api/scripts?${query}`)).json<ScriptList>()

describe.each(['memory', 'database'] as const)('suggestions from %s', (catalogueIndex) => {
  beforeAll(async () => {
    site = await createTestApp({ catalogueIndex })
    await plant()
    site.catalogue.invalidateAll()
    await vi.waitUntil(() => site.catalogue.isInMemory === (catalogueIndex === 'memory'), { timeout: 20_000 })
  })
  afterAll(() => site.close())

  test('titles have all the words, the most downloaded first, and nothing hidden', async () => {
    const titles = async (q: string) => (await suggest(q)).titles.map(({ title }) => title)
    expect(await titles('DRAG')).toEqual(['A red dragon', 'Dragon wings'])
    expect(await titles('wing dra')).toEqual(['Dragon wings'])
    expect(await titles('animations')).toEqual([])
  })

  test('a title comes with its address', async () => {
    expect((await suggest('wings')).titles).toEqual([{ id: 1, title: 'Dragon wings', slug: 'dragon-wings-1' }])
  })

  test('tags begin like the text, the most used first, with or without #', async () => {
    const tags = async (q: string) => (await suggest(q)).tags.map(({ name, count }) => [name, count])
    expect(await tags('#fl')).toEqual([['fly', 2]])
    expect(await tags('dr')).toEqual([['drawing', 1]])
    expect(await tags('ly')).toEqual([])
  })

  test('an author is named once, and nobody who is banned', async () => {
    expect((await suggest('dragonf')).authors).toEqual([{ id: 1, name: 'Zoë Dragonfly', slug: 'zoe' }])
    expect((await suggest('zoe drag')).authors).toHaveLength(1)
    expect((await suggest('banned')).authors).toEqual([])
  })

  test.each(['%', "'", '🐉', '\\', '&|!:*()', '   ', '#', 'a'.repeat(200), 'مرحبا', '\u0301'])(
    'nothing is suggested for %s, without a fault',
    async (q) => {
      expect(await suggest(q)).toEqual({ titles: [], tags: [], authors: [] })
    },
  )

  test('no text, too much of it and what no database holds are refused', async () => {
    for (const query of ['', 'q=', `q=${'a'.repeat(201)}`, 'q=%00']) {
      expect((await site.app.inject(`/api/search-suggestions?${query}`)).statusCode, query).toBe(400)
    }
  })

  test('a search that finds something suggests nothing', async () => {
    expect(await list('search=dragon')).not.toHaveProperty('suggestion')
    expect(await list('search=dragon&page=9')).not.toHaveProperty('suggestion')
    expect(await list('tags=nothing')).not.toHaveProperty('suggestion')
  })
})

describe('Did you mean', () => {
  beforeAll(async () => {
    site = await createTestApp({ catalogueIndex: 'memory' })
    await plant()
    site.catalogue.invalidateAll()
    await vi.waitUntil(() => site.catalogue.isInMemory, { timeout: 20_000 })
  })
  afterAll(() => site.close())

  test.each([
    ['a letter too many', 'draggon', 'dragon'],
    ['a letter too few', 'dragn', 'dragon'],
    ['another letter', 'drahon', 'dragon'],
    ['two letters exchanged', 'dargon', 'dragon'],
    ['two mistakes', 'anymatoins', 'animations'],
    ['the other words as they were typed', 'wings draggon', 'wings dragon'],
  ])('forgives %s', async (_what, search, suggestion) => {
    expect(await list(new URLSearchParams({ search }).toString())).toMatchObject({ scripts: [], suggestion })
  })

  test.each([
    ['what is too far off', 'search=elephant'],
    ['the shortest words', 'search=zz'],
    ['three unknown words', 'search=draggon+wimgs+aninations'],
    ['a word that would leave nothing, either', 'search=inventori&free_only=true'],
    ['known words that only never stand together', 'search=wings+inventory'],
  ])('says nothing about %s', async (_what, query) => {
    const found = await list(query)
    expect(found.pagination.total).toBe(0)
    expect(found).not.toHaveProperty('suggestion')
  })

  test('learns new words and forgets those that nobody uses any more', async () => {
    const id = await makeScript(site.db, { title: 'Zeppelin' })
    site.catalogue.invalidate([id])
    expect(await list('search=zepelin')).toMatchObject({ suggestion: 'zeppelin' })
    await site.db.deleteFrom('scripts').where('id', '=', id).execute()
    site.catalogue.invalidate([id])
    expect(await list('search=zepelin')).not.toHaveProperty('suggestion')
  })
})
