import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { encodeForm, fileForm } from '#tests/support/forms.ts'
import { uniquePng } from '#tests/support/images.ts'
import { chargeUpload } from './upload-quota.ts'

const LIMIT = 5_000_000
const CODE = 'x'.repeat(1_000_000)

let site: TestApp
let memberId: number
let member: Record<string, string>
beforeAll(async () => {
  site = await createTestApp({ uploadBytesPerDay: LIMIT })
})
beforeEach(async () => {
  memberId = await makeMember(site.db)
  member = await signIn(site.db, memberId)
})
afterAll(() => site.close())

const send = (method: 'POST' | 'PUT', url: string, payload: object, headers = member) =>
  site.app.inject({ method, url, headers, payload })
const publish = (script_content: string, headers = member) =>
  send('POST', '/api/scripts', { title: 'A script', description: 'Text.', script_content }, headers)
const use = (bytes: number) => chargeUpload(site.db, { bytesPerDay: LIMIT }, memberId, bytes)
const usage = async () => {
  const { rows } = await sql<{ bytes: number }>`select bytes from upload_usage
    where person_id = person_of(${memberId}) order by day`.execute(site.db)
  return rows.map(({ bytes }) => bytes)
}

const SENTENCE = "You've reached the limit of 5 MB of uploads per day. Try again after 00:00 UTC."

test('limits the code that a member publishes in a day, not that of others', async () => {
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await publish(CODE)).statusCode))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
  const rejected = await publish('return 1')
  expect([rejected.statusCode, rejected.json()]).toEqual([429, { code: 'upload_quota', error: SENTENCE }])
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  expect(await usage()).toEqual([LIMIT])
  expect((await publish(CODE, await signIn(site.db))).statusCode).toBe(201)
})

test('counts new, renamed and restored versions, and only those', async () => {
  const { id } = (await publish(CODE)).json().script
  const change = async (payload: object) => (await send('PUT', `/api/script-details?id=${id}`, payload)).statusCode
  expect(await change({ description: 'Other.' })).toBe(200)
  expect(await usage()).toEqual([1_000_000])
  expect(await change({ script_content: CODE.replace('x', 'y') })).toBe(200)
  expect(await change({ version: '2.0.0' })).toBe(200)
  expect((await send('POST', '/api/script-versions', { script_id: id, number: 1 })).statusCode).toBe(200)
  expect(await usage()).toEqual([4_000_000])
  await use(1_000_000)
  expect(await change({ version: '3.0.0' })).toBe(429)
  expect(await change({ description: 'Still free.' })).toBe(200)
})

test('counts an image once, and rejects one beyond the limit', async () => {
  const upload = async (bytes: Buffer) => {
    const { payload, headers } = await encodeForm(fileForm(bytes))
    return site.app.inject({ method: 'POST', url: '/api/media', payload, headers: { ...headers, ...member } })
  }
  const image = await uniquePng()
  expect([(await upload(image)).statusCode, (await upload(image)).statusCode]).toEqual([201, 201])
  expect(await usage()).toEqual([image.length])
  await use(LIMIT - image.length)
  const rejected = await upload(await uniquePng())
  expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { error: SENTENCE }])
  expect((await upload(image)).statusCode).toBe(201)
})

test('starts again on the next day', async () => {
  await use(LIMIT)
  await site.pool.query('update upload_usage set day = day - 1 where person_id = person_of($1)', [memberId])
  expect((await publish(CODE)).statusCode).toBe(201)
  expect(await usage()).toHaveLength(2)
  await deleteDueData(site.db)
  expect(await usage()).toEqual([1_000_000])
})

test('a script stores at most 20 MiB of versions, at least the current one', async () => {
  const author = await signIn(site.db)
  const { id } = (await publish('return 1', author)).json().script
  await site.pool.query(
    `insert into script_versions (script_id, number, version, content, sha256, size)
      select $1, n + 2, '1.0.0', rpad(n::text, 1048576, 'x'), encode(sha256(n::text::bytea), 'hex'), 1048576
      from generate_series(0, 23) n`,
    [id],
  )
  await site.db.updateTable('scripts').set({ current_version: 25 }).where('id', '=', id).execute()
  const { statusCode } = await send(
    'PUT',
    `/api/script-details?id=${id}`,
    { script_content: 'y'.repeat(1_048_576) },
    author,
  )
  expect(statusCode).toBe(200)
  const { rows } = await site.pool.query('select number from script_versions where script_id = $1 order by 1', [id])
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 7))
})
