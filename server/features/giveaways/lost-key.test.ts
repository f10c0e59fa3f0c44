import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let site: TestApp
let withOtherKey: TestApp
let admin: Record<string, string>
let winner: Record<string, string>
let drawn: number
let open: number

const SENTENCE = "Your prize can't be shown, because the site lost the key that protects it. Ask an admin for help."
const DAY_MS = 86_400_000

beforeAll(async () => {
  site = await createTestApp()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  winner = await signIn(site.db, await makeMember(site.db))
  const post = (payload: object, headers: Record<string, string>) =>
    site.app.inject({ method: 'POST', url: '/api/giveaways', headers, payload })
  const create = async () => {
    const end_date = new Date(Date.now() + DAY_MS).toISOString()
    const response = await post({ title: 'A key', prize_type: 'exec_key', prize_value: 'KEY-1', end_date }, admin)
    return response.json().giveaway.id as number
  }
  drawn = await create()
  open = await create()
  for (const giveaway_id of [drawn, open]) await post({ action: 'enter', giveaway_id }, winner)
  await post({ action: 'select-winners', giveaway_id: drawn }, admin)
  // As `npm run rotate-key -- --accept-loss` does.
  await site.db.deleteFrom('person_key').execute()
  withOtherKey = await createAppOn(site.database, site.pool, { secretKey: randomBytes(32) })
})
afterAll(async () => {
  await withOtherKey.close()
  await site.close()
})

const send = async (method: 'GET' | 'POST' | 'PUT', url: string, headers: Record<string, string>, payload?: object) => {
  const response = await withOtherKey.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.json() }
}

test('with another key winners read a sentence instead of their prize', async () => {
  const { status, body } = await send('GET', '/api/giveaways', winner)
  const shown = body.data.giveaways.find(({ id }: { id: number }) => id === drawn)
  expect([status, shown.prize_value]).toEqual([200, SENTENCE])
  const inbox = await send('GET', '/api/user-notifications', winner)
  expect([inbox.status, JSON.stringify(inbox.body)]).toEqual([200, expect.stringContaining(SENTENCE)])
})

test('with another key the data export is complete', async () => {
  const { status, body } = await send('GET', '/api/account-data', winner)
  expect([status, body.giveaway_entries[0].prize]).toEqual([200, SENTENCE])
})

test('with another key admins learn what to do, and can enter the prizes again', async () => {
  const reveal = () => send('GET', `/api/giveaway-prizes?id=${open}`, admin)
  const change = (fields: object) => send('PUT', '/api/giveaways', admin, { id: open, ...fields })
  const message = expect.stringMatching(
    /^The site doesn't have the secret key that encrypted this\. Enter the prizes again\.$/,
  )
  expect(await reveal()).toMatchObject({ status: 409, body: { code: 'unreadable', error: message } })
  expect(await change({ winner_count: 2 })).toMatchObject({ status: 409, body: { error: message } })
  expect((await change({ title: 'Another title' })).status).toBe(200)
  expect((await change({ prize_value: 'KEY-2' })).status).toBe(200)
  expect(await reveal()).toMatchObject({ status: 200, body: { prize_value: 'KEY-2' } })
  const draw = await send('POST', '/api/giveaways', admin, { action: 'select-winners', giveaway_id: open })
  expect(draw).toMatchObject({
    status: 409,
    body: { code: 'unreadable', error: expect.stringContaining('delete this') },
  })
})
