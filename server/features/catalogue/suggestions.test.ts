import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScriptList, SearchSuggestions } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp

async function insertCatalogue(): Promise<void> {
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
    await insertCatalogue()
    site.catalogue.invalidateAll()
    await vi.waitUntil(() => site.catalogue.isInMemory === (catalogueIndex === 'memory'), { timeout: 60_000 })
  })
  afterAll(() => site.close())

  test('titles contain all words, are sorted by downloads, and exclude hidden scripts', async () => {
    const titles = async (q: string) => (await suggest(q)).titles.map(({ title }) => title)
    expect(await titles('DRAG')).toEqual(['A red dragon', 'Dragon wings'])
    expect(await titles('wing dra')).toEqual(['Dragon wings'])
    expect(await titles('animations')).toEqual([])
  })

  test('a title includes what its suggestion shows', async () => {
    expect((await suggest('wings')).titles).toEqual([
      {
        id: 1,
        title: 'Dragon wings',
        slug: 'dragon-wings-1',
        image_card: '',
        author_name: 'Zoë Dragonfly',
        warning: null,
      },
    ])
  })

  test('tags match by prefix, with or without #', async () => {
    const tags = async (q: string) => (await suggest(q)).tags.map(({ name, count }) => [name, count])
    expect(await tags('#fl')).toEqual([['fly', 2]])
    expect(await tags('dr')).toEqual([['drawing', 1]])
    expect(await tags('ly')).toEqual([])
  })

  test('authors are listed once, without banned members', async () => {
    expect((await suggest('dragonf')).authors).toEqual([
      { id: 1, name: 'Zoë Dragonfly', slug: 'zoe', avatar: expect.any(String) },
    ])
    expect((await suggest('zoe drag')).authors).toHaveLength(1)
    expect((await suggest('banned')).authors).toEqual([])
  })

  test.each(['%', "'", '🐉', '\\', '&|!:*()', '   ', '#', 'a'.repeat(200), 'مرحبا', '\u0301'])(
    'returns no suggestions for %s',
    async (q) => {
      expect(await suggest(q)).toEqual({ titles: [], tags: [], games: [], authors: [] })
    },
  )

  test('rejects a missing, empty or too long text and NUL characters', async () => {
    for (const query of ['', 'q=', `q=${'a'.repeat(201)}`, 'q=%00']) {
      expect((await site.app.inject(`/api/search-suggestions?${query}`)).statusCode, query).toBe(400)
    }
  })

  test('a search with results has no suggestion', async () => {
    expect(await list('search=dragon')).not.toHaveProperty('suggestion')
    expect(await list('search=dragon&page=9')).not.toHaveProperty('suggestion')
    expect(await list('tags=nothing')).not.toHaveProperty('suggestion')
  })
})

describe('Did you mean', () => {
  beforeAll(async () => {
    site = await createTestApp({ catalogueIndex: 'memory' })
    await insertCatalogue()
    site.catalogue.invalidateAll()
    await vi.waitUntil(() => site.catalogue.isInMemory, { timeout: 60_000 })
  })
  afterAll(() => site.close())

  test.each([
    ['an extra letter', 'draggon', 'dragon'],
    ['a missing letter', 'dragn', 'dragon'],
    ['a wrong letter', 'drahon', 'dragon'],
    ['two swapped letters', 'dargon', 'dragon'],
    ['two mistakes', 'anymatoins', 'animations'],
    ['one of several words', 'wings draggon', 'wings dragon'],
  ])('corrects %s', async (_name, search, suggestion) => {
    expect(await list(new URLSearchParams({ search }).toString())).toMatchObject({ scripts: [], suggestion })
  })

  test.each([
    ['words without a similar word', 'search=elephant'],
    ['the shortest words', 'search=zz'],
    ['three unknown words', 'search=draggon+wimgs+aninations'],
    ['a correction that has no results either', 'search=inventori&free_only=true'],
    ['known words that never occur together', 'search=wings+inventory'],
  ])('suggests nothing for %s', async (_name, query) => {
    const found = await list(query)
    expect(found.pagination.total).toBe(0)
    expect(found).not.toHaveProperty('suggestion')
  })

  test('adds new words and removes unused ones', async () => {
    const id = await makeScript(site.db, { title: 'Zeppelin' })
    site.catalogue.invalidate([id])
    expect(await list('search=zepelin')).toMatchObject({ suggestion: 'zeppelin' })
    await site.db.deleteFrom('scripts').where('id', '=', id).execute()
    site.catalogue.invalidate([id])
    expect(await list('search=zepelin')).not.toHaveProperty('suggestion')
  })
})
