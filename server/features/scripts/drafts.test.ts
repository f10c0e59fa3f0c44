import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import { MAX_DRAFTS } from '#contract/limits.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import type { SignedIn } from '#tests/support/scripts.ts'

const KEY = 'a'.repeat(32)
let site: TestApp
let member: number
let headers: SignedIn
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await makeMember(site.db)
  headers = await signIn(site.db, member)
})

const content = (title: string) => ({ values: { title, script_content: 'return 1' } })
const put = (key: string, title: string, base?: string | null, as = headers) =>
  site.app.inject({
    method: 'PUT',
    url: '/api/draft',
    headers: as,
    payload: { key, content: content(title), ...(base === undefined ? {} : { base_updated_at: base }) },
  })
const save = async (key: string, title: string, base?: string) => {
  const response = await put(key, title, base)
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<{ updated_at: string }>().updated_at
}
const read = (key = KEY, as = headers) => site.app.inject({ url: `/api/draft?key=${key}`, headers: as })
const list = async (as = headers) =>
  (await site.app.inject({ url: '/api/drafts', headers: as })).json<{ drafts: Draft[] }>().drafts
const remove = (key = KEY, as = headers) =>
  site.app.inject({ method: 'DELETE', url: `/api/draft?key=${key}`, headers: as })

describe('a draft', () => {
  test('is stored, read on another device, changed and deleted', async () => {
    const first = await save(KEY, 'Lamp')
    const other = await signIn(site.db, member)
    expect((await read(KEY, other)).json()).toEqual({
      key: KEY,
      script_id: null,
      updated_at: first,
      content: content('Lamp'),
    })
    const second = await save(KEY, 'Lamp that listens', first)
    expect(second > first).toBe(true)
    expect(await list(other)).toEqual([{ key: KEY, script_id: null, updated_at: second }])
    for (const _ of [1, 2]) expect((await remove()).statusCode).toBe(200)
    expect((await read()).statusCode).toBe(404)
  })

  test('is not replaced by one that was made from an older state', async () => {
    const first = await save(KEY, 'Lamp')
    await save(KEY, 'From the phone', first)
    for (const base of [first, undefined, null]) {
      expect((await put(KEY, 'From the desktop', base)).json()).toMatchObject({ code: 'changed_meanwhile' })
    }
    expect((await read()).json()).toMatchObject({ content: content('From the phone') })
  })

  test('of two devices that store at once, one learns of the other', async () => {
    const first = await save(KEY, 'Lamp')
    const responses = await Promise.all(['One', 'Two', 'Three', 'Four'].map((title) => put(KEY, title, first)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(3)
  })

  test('is private: for other members it does not exist, and visitors and programs are rejected', async () => {
    await save(KEY, 'Secret plan')
    const other = await signIn(site.db, await makeMember(site.db))
    expect((await read(KEY, other)).statusCode).toBe(404)
    expect(await list(other)).toEqual([])
    await remove(KEY, other)
    expect((await put(KEY, 'Mine', null, other)).statusCode).toBe(200)
    expect((await read()).json()).toMatchObject({ content: content('Secret plan') })
    expect((await site.app.inject(`/api/draft?key=${KEY}`)).statusCode).toBe(401)
    const { authorization } = await makeApiToken(site.db, member, ['scripts:write', 'scripts:read-private'])
    expect((await site.app.inject({ url: '/api/drafts', headers: { authorization } })).statusCode).toBe(403)
  })

  test('of a change belongs to a script of the member, and is deleted with it', async () => {
    const own = await makeScript(site.db, { author_id: member })
    const foreign = await makeScript(site.db, { author_id: await makeMember(site.db) })
    await save(String(own), 'Renamed')
    expect(await list()).toMatchObject([{ key: String(own), script_id: own }])
    expect((await put(String(foreign), 'Renamed')).statusCode).toBe(404)
    expect((await put('2000000', 'Renamed')).statusCode).toBe(404)
    await sql`delete from scripts where id = ${own}`.execute(site.db)
    expect(await list()).toEqual([])
  })

  test('has known fields of the right type, and a bounded size', async () => {
    const send = (payload: object) => site.app.inject({ method: 'PUT', url: '/api/draft', headers, payload })
    expect((await send({ key: KEY, content: { values: { title: 1 } } })).statusCode).toBe(400)
    expect((await send({ key: KEY, content: { values: { image: 'x' } } })).statusCode).toBe(400)
    expect((await send({ key: 'x', content: { values: {} } })).statusCode).toBe(400)
    const code = (length: number) => ({ key: KEY, content: { values: { script_content: 'x'.repeat(length) } } })
    expect((await send(code(1_600_000))).statusCode).toBe(413)
    expect((await send(code(1_048_576))).statusCode).toBe(200)
  })
})

test('the newest drafts of a member stay', async () => {
  const keys = Array.from({ length: MAX_DRAFTS + 2 }, (_, i) => i.toString(16).padStart(32, '0'))
  for (const key of keys) await save(key, 'One of many')
  expect((await list()).map(({ key }) => key)).toEqual(keys.slice(2).toReversed())
})

test('publishing deletes the draft with its key', async () => {
  await save(KEY, 'Lamp')
  await save('b'.repeat(32), 'Another')
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/scripts',
    headers: { ...headers, 'idempotency-key': KEY },
    payload: { title: 'Lamp', description: 'Shines.', script_content: 'return 1' },
  })
  expect(response.statusCode).toBe(201)
  expect((await list()).map(({ key }) => key)).toEqual(['b'.repeat(32)])
})

test('drafts are part of the data export, and end with the account and after 90 days', async () => {
  await save(KEY, 'Lamp')
  const exported = await site.app.inject({ url: '/api/account-data', headers })
  expect(exported.json()).toMatchObject({ drafts: [{ key: KEY, content: content('Lamp') }] })
  const other = await makeMember(site.db)
  const old = { member_id: other, content: '{}' }
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  await site.db
    .insertInto('drafts')
    .values([
      { ...old, key: 'c'.repeat(32), updated_at: daysAgo(91) },
      { ...old, key: 'd'.repeat(32), updated_at: daysAgo(89) },
    ])
    .execute()
  await deleteDueData(site.db, ['drafts'])
  const keysOf = async (id: number) =>
    (await sql<{ key: string }>`select key from drafts where member_id = ${id}`.execute(site.db)).rows
  expect(await keysOf(other)).toEqual([{ key: 'd'.repeat(32) }])
  const profile = await site.app.inject({ url: '/api/user-profile', headers })
  const payload = { username: profile.json<{ username: string }>().username }
  const deleted = await site.app.inject({ method: 'DELETE', url: '/api/account', headers, payload })
  expect(deleted.statusCode, deleted.payload).toBe(200)
  expect(await keysOf(member)).toEqual([])
})
