import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CollectionPage, CollectionSummary, OwnCollection } from '#contract/collections.ts'
import { MAX_COLLECTION_ITEMS, MAX_COLLECTIONS } from '#contract/limits.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import type { SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

let owner: number
let headers: SignedIn
beforeEach(async () => {
  owner = await makeMember(site.db, { display_name: 'Ada' })
  headers = await signIn(site.db, owner)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path: string, payload?: object, as: Partial<SignedIn> = headers) =>
  site.app.inject({ method, url: `/api/${path}`, headers: as, ...(payload ? { payload } : {}) })
const create = async (fields: object = {}) => {
  const response = await call('POST', 'collections', { name: 'Lamps', is_public: true, ...fields })
  return response.json<{ collection: CollectionSummary }>().collection
}
const add = (collection_id: number, script_id: number, fields = {}) =>
  call('POST', 'collection-items', { collection_id, script_id, ...fields })
const change = (collection_id: number, script_id: number, fields: object) =>
  call('PUT', 'collection-items', { collection_id, script_id, ...fields })
const read = (slug: string, as: Partial<SignedIn> = {}) => call('GET', `collection?slug=${slug}`, undefined, as)
const titles = async (slug: string, as: Partial<SignedIn> = {}) =>
  (await read(slug, as)).json<CollectionPage>().items.map(({ script }) => script.title)
const listed = async (as: Partial<SignedIn> = {}) =>
  (await call('GET', `collections?user_id=${owner}`, undefined, as)).json<{ collections: CollectionSummary[] }>()
    .collections
const countOf = async (id: number) =>
  (await site.db.selectFrom('collections').select('item_count').where('id', '=', id).executeTakeFirst())?.item_count

describe('a collection', () => {
  test('has a URL with its name, its owner, and scripts with notes', async () => {
    const script_id = await makeScript(site.db, { title: 'Spring' })
    const { id, slug } = await create({ name: 'Bright lamps', description: 'All of them.', script_id })
    expect(slug).toBe(`bright-lamps-${id}`)
    await change(id, script_id, { note: 'Best one.' })
    expect((await read(slug)).json()).toMatchObject({
      collection: { name: 'Bright lamps', description: 'All of them.', owner_name: 'Ada', item_count: 1 },
      items: [{ script: { id: script_id, title: 'Spring' }, note: 'Best one.' }],
      pagination: { total: 1 },
      unavailable_count: 0,
    })
    const changed = await call('PUT', 'collections', { id, name: 'Dim lamps', description: null })
    expect(changed.json()).toMatchObject({ collection: { slug: `dim-lamps-${id}`, description: null } })
    expect((await read(slug)).statusCode).toBe(200)
    expect((await call('DELETE', `collections?id=${id}`)).statusCode).toBe(200)
    expect((await read(slug, headers)).statusCode).toBe(404)
  })

  test('is private to its owner unless it is public', async () => {
    const { id, slug } = await create({ is_public: false })
    const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
    for (const as of [{}, await signIn(site.db), admin]) expect((await read(slug, as)).statusCode).toBe(404)
    expect((await read(slug, headers)).statusCode).toBe(200)
    expect([await listed(), await listed(headers)]).toMatchObject([[], [{ id }]])
    await call('PUT', 'collections', { id, is_public: true })
    expect((await read(slug)).statusCode).toBe(200)
    expect(await listed()).toMatchObject([{ id, is_public: true }])
  })

  test('of a banned member is hidden from others, and that of a private profile from its list', async () => {
    const { slug } = await create()
    await site.db.updateTable('members').set({ is_private: true }).where('id', '=', owner).execute()
    expect([await listed(), (await read(slug)).statusCode]).toEqual([[], 200])
    await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', owner).execute()
    expect((await read(slug)).statusCode).toBe(404)
  })

  test.each([
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a long description', { description: 'x'.repeat(501) }],
    ['an unknown field', { color: 'red' }],
  ])('with %s is rejected', async (_what, fields) => {
    const response = await call('POST', 'collections', { name: 'Lamps', is_public: true, ...fields })
    expect(response.statusCode).toBe(400)
  })

  test('shows private and deleted scripts to nobody, and their author’s own to them', async () => {
    const [hidden, deleted, own] = [
      await makeScript(site.db, { title: 'Hidden' }),
      await makeScript(site.db, { title: 'Deleted' }),
      await makeScript(site.db, { title: 'Own', author_id: owner, is_public: false }),
    ]
    const { id, slug } = await create({ script_id: hidden })
    await add(id, deleted)
    await add(id, own)
    await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', hidden).execute()
    await site.db.deleteFrom('scripts').where('id', '=', deleted).execute()
    expect([await titles(slug), await titles(slug, headers)]).toEqual([[], ['Own']])
    expect((await read(slug, headers)).json<CollectionPage>().unavailable_count).toBe(1)
    expect((await read(slug)).json<CollectionPage>().unavailable_count).toBe(0)
    expect(await countOf(id)).toBe(2)
  })
})

describe('scripts in a collection', () => {
  test('are added once, moved, and removed', async () => {
    const { id, slug } = await create()
    const scripts = await Promise.all(['A', 'B', 'C'].map((title) => makeScript(site.db, { title })))
    const [a = 0, b = 0, c = 0] = scripts
    for (const script of [a, b, c, a]) expect((await add(id, script)).statusCode).toBe(200)
    expect(await titles(slug)).toEqual(['A', 'B', 'C'])
    await change(id, c, { before_script_id: a })
    expect(await titles(slug)).toEqual(['C', 'A', 'B'])
    await change(id, c, { before_script_id: null })
    await change(id, b, { before_script_id: b })
    expect(await titles(slug)).toEqual(['A', 'B', 'C'])
    for (const _ of [1, 2]) {
      const removed = await call('DELETE', `collection-items?collection_id=${id}&script_id=${b}`)
      expect(removed.json()).toMatchObject({ collection: { item_count: 2 } })
    }
    expect(await titles(slug)).toEqual(['A', 'C'])
    const missing = [await change(id, b, { note: 'x' }), await change(id, a, { before_script_id: b })]
    expect(missing.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    expect((await change(id, a, { note: 'x'.repeat(301) })).statusCode).toBe(400)
  })

  test('are offered by the list of one’s own collections', async () => {
    const script = await makeScript(site.db)
    await create({ name: 'Without' })
    await create({ name: 'With', script_id: script })
    const response = await call('GET', `own-collections?script_id=${script}`)
    const { collections } = response.json<{ collections: OwnCollection[] }>()
    expect(collections.map(({ name, has_script }) => [name, has_script])).toEqual([
      ['With', true],
      ['Without', false],
    ])
  })

  test('cannot be added by others, or if the owner cannot see them', async () => {
    const { id } = await create()
    const script_id = await makeScript(site.db)
    const payload = { collection_id: id, script_id }
    expect((await call('POST', 'collection-items', payload, await signIn(site.db))).statusCode).toBe(404)
    const hidden = await makeScript(site.db, { is_public: false })
    expect((await add(id, hidden)).json()).toMatchObject({ code: 'script_not_found' })
  })

  test('keep one order and an exact count while they are added, moved, removed and deleted at once', async () => {
    const { id } = await create()
    const scripts = await Promise.all(Array.from({ length: 6 }, () => makeScript(site.db)))
    const [first = 0, second = 0, third = 0] = scripts
    await add(id, first)
    const calls = [
      ...scripts.map((script) => add(id, script)),
      ...scripts.toReversed().map((script) => add(id, script)),
      change(id, first, { before_script_id: null }),
      call('DELETE', `collection-items?collection_id=${id}&script_id=${second}`),
    ]
    await Promise.all([...calls, site.db.deleteFrom('scripts').where('id', '=', third).execute()])
    const { rows } = await site.pool.query(
      `select c.id from collections c where item_count <> (select count(*) from collection_items where collection_id = c.id)
        union all select collection_id from collection_items group by collection_id, position having count(*) > 1`,
    )
    expect(rows).toEqual([])
  })
})

describe('the limits', () => {
  test('of collections cannot be passed by concurrent requests', async () => {
    await site.pool.query(
      `insert into collections (owner_id, name) select $1, 'Many' from generate_series(1, $2::int)`,
      [owner, MAX_COLLECTIONS - 1],
    )
    const responses = await Promise.all(
      [1, 2, 3].map(() => call('POST', 'collections', { name: 'X', is_public: false })),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(responses.find(({ statusCode }) => statusCode !== 201)?.json()).toEqual({
      code: 'too_many_collections',
      error: 'You have 100 collections, which is the limit.',
    })
  })

  test('of scripts in a collection rejects with a sentence and changes nothing', async () => {
    const { id } = await create()
    await site.pool.query(
      `with made as (
          insert into scripts (author_id, title, title_key, description, file_size)
          select $1, 'Filler', 'filler', 'Filler.', 8 from generate_series(1, $3::int) returning id),
        versions as (
          insert into script_versions (script_id, number, version, content, sha256, size)
          select id, 1, '1.0.0', 'return 1', repeat('0', 64), 8 from made),
        stats as (insert into script_stats (script_id) select id from made)
        insert into collection_items (collection_id, script_id, position) select $2, id, row_number() over () from made`,
      [owner, id, MAX_COLLECTION_ITEMS],
    )
    const response = await add(id, await makeScript(site.db))
    expect([response.statusCode, response.json()]).toEqual([
      409,
      { code: 'collection_full', error: 'A collection can have 500 scripts. Start another one.' },
    ])
    expect(await countOf(id)).toBe(MAX_COLLECTION_ITEMS)
    const page = (await call('GET', `collection?slug=lamps-${id}&page=10`)).json<CollectionPage>()
    expect([page.items.length, page.pagination.pages]).toEqual([50, 10])
  })
})
