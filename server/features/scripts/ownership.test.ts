import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import {
  publish,
  sendChange,
  sendDelete,
  sendRestore,
  sendScript,
  type SignedIn,
  hashTables,
  minimalScript,
} from '#tests/support/scripts.ts'

const ACTORS = ['visitor', 'member', 'owner', 'muted owner', 'banned owner', 'moderator', 'admin'] as const
type Actor = (typeof ACTORS)[number]

let site: TestApp
const headers = new Map<Actor, SignedIn | undefined>()
const owners = new Map<Actor, number>()
beforeAll(async () => {
  site = await createTestApp()
  const input = {
    member: {},
    owner: {},
    'muted owner': { muted_until: 'infinity' as const },
    'banned owner': {},
    moderator: { is_moderator: true },
    admin: { is_admin: true },
  }
  for (const [actor, columns] of Object.entries(input) as [Actor, object][]) {
    const id = await makeMember(site.db, columns)
    owners.set(actor, id)
    headers.set(actor, await signIn(site.db, id))
  }
  const banned = owners.get('banned owner') ?? 0
  await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', banned).execute()
})
afterAll(() => site.close())

const makeFor = (actor: Actor, isPublic: boolean) =>
  makeScript(site.db, {
    author_id: owners.get(actor.endsWith('owner') ? actor : 'owner') ?? 0,
    is_public: isPublic,
    title: 'Mine',
  })

type Row = [actor: Actor, ofPublic: number, ofPrivate: number]
type Call = (id: number, actor: Actor) => Promise<{ statusCode: number; payload: string }>

const get =
  (path: string): Call =>
  (id, actor) =>
    site.app.inject({ url: `${path}${id}`, headers: headers.get(actor) ?? {} })

const READS: [name: string, call: Call][] = [
  ['details', get('/api/script-details-slug?slug=x-')],
  ['ratings', get('/api/script-rating?id=')],
  ['versions', get('/api/script-versions?id=')],
  ['a version', get('/api/script-version?number=1&id=')],
  ['download', get('/api/script-download?id=')],
]

const READERS: Row[] = [
  ['visitor', 200, 404],
  ['member', 200, 404],
  ['owner', 200, 200],
  ['muted owner', 200, 200],
  ['banned owner', 404, 404],
  ['moderator', 200, 404],
  ['admin', 200, 200],
]

describe.each(READS)('reading %s', (_name, call) => {
  test.each(READERS)(
    'by a %s returns %d for a public and %d for a private script',
    async (actor, ofPublic, ofPrivate) => {
      expect((await call(await makeFor(actor, true), actor)).statusCode).toBe(ofPublic)
      expect((await call(await makeFor(actor, false), actor)).statusCode).toBe(ofPrivate)
    },
  )
})

test('the raw URL serves only public scripts, regardless of the caller', async () => {
  for (const actor of ACTORS.filter((name) => name !== 'banned owner')) {
    expect((await get('/raw/x-')(await makeFor(actor, true), actor)).statusCode).toBe(200)
    expect((await get('/raw/x-')(await makeFor(actor, false), actor)).statusCode).toBe(404)
  }
})

const WRITES: [name: string, call: Call, muted: number][] = [
  ['change', (id, actor) => sendChange(site, headers.get(actor), id, { title: 'Taken' }), 403],
  ['restore', (id, actor) => sendRestore(site, headers.get(actor), { script_id: id, number: 1 }), 403],
  ['delete', (id, actor) => sendDelete(site, headers.get(actor), id), 200],
]

describe.each(WRITES)('%s', (name, call, muted) => {
  const writers: Row[] = [
    ['visitor', 401, 401],
    ['member', 403, 404],
    ['owner', 200, 200],
    ['muted owner', muted, muted],
    ['banned owner', 401, 401],
    ['moderator', 403, 404],
    ['admin', 403, 403],
  ]
  test.each(writers)(
    'by a %s returns %d for a public and %d for a private script',
    async (actor, ofPublic, ofPrivate) => {
      for (const [isPublic, status] of [
        [true, ofPublic],
        [false, ofPrivate],
      ] as const) {
        const id = await makeFor(actor, isPublic)
        // Counts the earlier reads now, not during the call.
        await site.visits.flush()
        const before = await hashTables(site.db)
        const response = await call(id, actor)
        const isUnchanged = isDeepStrictEqual(await hashTables(site.db), before)
        expect([response.statusCode, isUnchanged]).toEqual([status, status !== 200 || name === 'restore'])
      }
    },
  )
})

describe('another member', () => {
  test('gets an error about the missing permission, not about the form', async () => {
    const id = await makeFor('owner', true)
    const response = await sendChange(site, headers.get('member'), id, { title: 'x' })
    expect(response.json()).toMatchObject({ code: 'not_the_author', error: 'Only its author can change this script.' })
  })

  test("cannot store an image by changing another author's script", async () => {
    const image = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    expect((await sendChange(site, headers.get('member'), await makeFor('owner', true), { image })).statusCode).toBe(
      403,
    )
    expect(await site.db.selectFrom('media').select('hash').execute()).toEqual([])
  })

  test("cannot access a banned author's script", async () => {
    const id = await makeFor('banned owner', true)
    expect((await sendChange(site, headers.get('member'), id, { title: 'x' })).statusCode).toBe(404)
  })
})

test('the error for a muted author names the end of the mute', async () => {
  const author = await makeMember(site.db, { muted_until: new Date('2999-01-02T03:04:05Z') })
  const id = await makeScript(site.db, { author_id: author })
  const response = await sendChange(site, await signIn(site.db, author), id, { title: 'x' })
  expect(response.json()).toMatchObject({
    code: 'muted',
    error: expect.stringContaining('January 2, 2999 at 03:04 UTC'),
  })
})

describe('a private script', () => {
  test('appears in no list, search, tag or facet, not even for its author, except in lists of admins', async () => {
    const owner = headers.get('owner') ?? { authorization: '' }
    await publish(site, owner, { title: 'Clandestine', tags: ['covert'], is_public: false })
    for (const actor of ['owner', 'admin'] as const) {
      for (const url of [
        '/api/scripts?search=clandestine',
        '/api/scripts?tags=covert',
        '/api/script-facets?search=clandestine',
      ]) {
        const response = await site.app.inject({ url, headers: headers.get(actor) ?? {} })
        const isListed = actor === 'admin' && url.startsWith('/api/scripts')
        expect(/Clandestine|"total":1/.test(response.payload)).toBe(isListed)
      }
    }
  })

  test('is never cached', async () => {
    const id = await makeFor('owner', false)
    for (const [, call] of READS) {
      const response = await call(id, 'owner')
      expect((response as { headers?: Record<string, unknown> }).headers?.['cache-control']).toBe('no-store')
    }
  })
})

test("a member's view and download are counted, the author's own are not", async () => {
  const id = await publish(site, headers.get('owner') ?? { authorization: '' })
  const visit = async (actor: Actor) => {
    await get('/api/script-details-slug?slug=x-')(id, actor)
    await get('/api/script-download?id=')(id, actor)
    await site.visits.flush()
    return site.db
      .selectFrom('script_stats')
      .select(['view_count', 'download_count'])
      .where('script_id', '=', id)
      .executeTakeFirst()
  }
  expect(await visit('owner')).toEqual({ view_count: 0, download_count: 0 })
  expect(await visit('member')).toEqual({ view_count: 1, download_count: 1 })
})

test('a banned member cannot publish', async () => {
  expect((await sendScript(site, headers.get('banned owner'), minimalScript)).statusCode).toBe(401)
})
