import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { minimalScript, sendChange, sendDelete, sendScript } from '#tests/support/scripts.ts'
import { removeExpiredKeys } from './publish.ts'

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
const idOf = (answer: { json(): unknown }) => (answer.json() as { script: { id: number } }).script.id

describe('the same idempotency key', () => {
  test.each([1, 2, 3, 4, 5])('20 times at once at two servers makes one script, round %d', async () => {
    const { id, headers } = await makeAuthor()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sendScript(n % 2 ? site : second, headers, minimalScript, 'once')),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(answers.map(({ payload }) => payload)).size).toBe(1)
    expect(await countScripts(id)).toBe(1)
  })

  test('gives the first answer later too, also with the fields in another order', async () => {
    const { id, headers } = await makeAuthor()
    const first = await sendScript(site, headers, minimalScript, 'later')
    const turned = Object.fromEntries(Object.entries(minimalScript).toReversed())
    const again = await sendScript(second, headers, turned, 'later')
    expect([again.statusCode, again.payload]).toEqual([201, first.payload])
    expect(await countScripts(id)).toBe(1)
  })

  test('gives the first answer after the script got another title, and after it was deleted', async () => {
    const { id, headers } = await makeAuthor()
    const first = await sendScript(site, headers, minimalScript, 'gone')
    await sendChange(site, headers, idOf(first), { title: 'Another' })
    expect((await sendScript(site, headers, minimalScript, 'gone')).payload).toBe(first.payload)
    await sendDelete(site, headers, idOf(first))
    expect((await sendScript(site, headers, minimalScript, 'gone')).payload).toBe(first.payload)
    expect(await countScripts(id)).toBe(0)
  })

  test('with another form is refused, one after the other and at once', async () => {
    const { id, headers } = await makeAuthor()
    await sendScript(site, headers, minimalScript, 'reused')
    const other = await sendScript(site, headers, { ...minimalScript, title: 'Other' }, 'reused')
    expect(other.statusCode).toBe(409)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
    const titles = Array.from({ length: 10 }, (_, n) => `Title ${n}`)
    const answers = await Promise.all(
      titles.map((title) => sendScript(site, headers, { ...minimalScript, title }, 'race')),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)])
    expect(await countScripts(id)).toBe(2)
  })

  test('of another member is another key', async () => {
    const [one, other] = [await makeAuthor(), await makeAuthor()]
    const ids = [
      idOf(await sendScript(site, one.headers, minimalScript, 'shared')),
      idOf(await sendScript(site, other.headers, minimalScript, 'shared')),
    ]
    expect(new Set(ids).size).toBe(2)
  })

  test('is free again after a form that was refused', async () => {
    const { headers } = await makeAuthor()
    expect((await sendScript(site, headers, { ...minimalScript, title: '' }, 'second-try')).statusCode).toBe(400)
    expect((await sendScript(site, headers, minimalScript, 'second-try')).statusCode).toBe(201)
  })

  test('is free again after 24 hours, and not a minute before', async () => {
    const { id, headers } = await makeAuthor()
    const key = `~!${'k'.repeat(98)}`
    const age = (interval: string) =>
      sql`update publish_keys set created_at = now() - ${interval}::interval where member_id = ${id}`.execute(site.db)
    await sendScript(site, headers, minimalScript, key)
    await age('23 hours 59 minutes')
    await removeExpiredKeys(site.db)
    await sendScript(site, headers, minimalScript, key)
    expect(await countScripts(id)).toBe(1)
    await age('24 hours 1 minute')
    await Promise.all(Array.from({ length: 10 }, () => sendScript(site, headers, minimalScript, key)))
    expect(await countScripts(id)).toBe(2)
  })

  test('leaves the table a day later', async () => {
    const { id, headers } = await makeAuthor()
    await sendScript(site, headers, minimalScript, 'swept')
    await sql`update publish_keys set created_at = now() - interval '25 hours' where member_id = ${id}`.execute(site.db)
    await removeExpiredKeys(site.db)
    const rows = await site.db.selectFrom('publish_keys').select('key').where('member_id', '=', id).execute()
    expect(rows).toEqual([])
  })
})

test('without a key every form makes a script', async () => {
  const { id, headers } = await makeAuthor()
  await Promise.all([1, 2, 3].map(() => sendScript(site, headers, minimalScript)))
  expect(await countScripts(id)).toBe(3)
})
