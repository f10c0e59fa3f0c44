import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { minimalScript, sendChange, sendDelete, sendScript } from '#tests/support/scripts.ts'

let site: TestApp
let second: TestApp
beforeAll(async () => {
  site = await createTestApp()
  second = await createAppOn(site.database, site.pool)
})
afterAll(async () => {
  await second.close()
  await site.close()
})

const makeAuthor = async () => {
  const id = await makeMember(site.db)
  return { id, headers: await signIn(site.db, id) }
}
const countScripts = async (authorId: number) =>
  (await site.db.selectFrom('scripts').select('id').where('author_id', '=', authorId).execute()).length
const idOf = (response: { json(): unknown }) => (response.json() as { script: { id: number } }).script.id

describe('a repeated idempotency key', () => {
  test.each([1, 2, 3, 4, 5])('creates one script for 20 concurrent requests to two servers, round %d', async () => {
    const { id, headers } = await makeAuthor()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sendScript(n % 2 ? site : second, headers, minimalScript, 'once')),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(responses.map(({ payload }) => payload)).size).toBe(1)
    expect(await countScripts(id)).toBe(1)
  })

  test('returns the same script later, also with the fields in another order', async () => {
    const { id, headers } = await makeAuthor()
    const first = await sendScript(site, headers, minimalScript, 'later')
    const reordered = Object.fromEntries(Object.entries(minimalScript).toReversed())
    const again = await sendScript(second, headers, reordered, 'later')
    expect([again.statusCode, again.payload]).toEqual([201, first.payload])
    expect(await countScripts(id)).toBe(1)
  })

  test('returns the first response after the script was renamed and after it was deleted', async () => {
    const { id, headers } = await makeAuthor()
    const first = await sendScript(site, headers, minimalScript, 'gone')
    await sendChange(site, headers, idOf(first), { title: 'Another' })
    expect((await sendScript(site, headers, minimalScript, 'gone')).payload).toBe(first.payload)
    await sendDelete(site, headers, idOf(first))
    expect((await sendScript(site, headers, minimalScript, 'gone')).payload).toBe(first.payload)
    expect(await countScripts(id)).toBe(0)
  })

  test('is rejected with a different form, sequentially and concurrently', async () => {
    const { id, headers } = await makeAuthor()
    await sendScript(site, headers, minimalScript, 'reused')
    const other = await sendScript(site, headers, { ...minimalScript, title: 'Other' }, 'reused')
    expect(other.statusCode).toBe(409)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
    const titles = Array.from({ length: 10 }, (_, n) => `Title ${n}`)
    const responses = await Promise.all(
      titles.map((title) => sendScript(site, headers, { ...minimalScript, title }, 'race')),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(9).fill(409),
    ])
    expect(await countScripts(id)).toBe(2)
  })

  test('is a different key for another member', async () => {
    const [one, other] = [await makeAuthor(), await makeAuthor()]
    const ids = [
      idOf(await sendScript(site, one.headers, minimalScript, 'shared')),
      idOf(await sendScript(site, other.headers, minimalScript, 'shared')),
    ]
    expect(new Set(ids).size).toBe(2)
  })

  test('can be reused after an invalid form', async () => {
    const { headers } = await makeAuthor()
    expect((await sendScript(site, headers, { ...minimalScript, title: '' }, 'second-try')).statusCode).toBe(400)
    expect((await sendScript(site, headers, minimalScript, 'second-try')).statusCode).toBe(201)
  })

  test('expires after 24 hours, not a minute earlier', async () => {
    const { id, headers } = await makeAuthor()
    const key = `~!${'k'.repeat(98)}`
    const age = (interval: string) =>
      sql`update publish_keys set created_at = now() - ${interval}::interval where member_id = ${id}`.execute(site.db)
    await sendScript(site, headers, minimalScript, key)
    await age('23 hours 59 minutes')
    await deleteDueData(site.db)
    await sendScript(site, headers, minimalScript, key)
    expect(await countScripts(id)).toBe(1)
    await age('24 hours 1 minute')
    await Promise.all(Array.from({ length: 10 }, () => sendScript(site, headers, minimalScript, key)))
    expect(await countScripts(id)).toBe(2)
  })

  test('is removed from the table a day later', async () => {
    const { id, headers } = await makeAuthor()
    await sendScript(site, headers, minimalScript, 'expired')
    await sql`update publish_keys set created_at = now() - interval '25 hours' where member_id = ${id}`.execute(site.db)
    await deleteDueData(site.db)
    const rows = await site.db.selectFrom('publish_keys').select('key').where('member_id', '=', id).execute()
    expect(rows).toEqual([])
  })
})

test('creates a script for every form without a key', async () => {
  const { id, headers } = await makeAuthor()
  await Promise.all([1, 2, 3].map(() => sendScript(site, headers, minimalScript)))
  expect(await countScripts(id)).toBe(3)
})
