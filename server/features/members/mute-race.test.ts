import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { waitUntilBlocked } from '#tests/support/locks.ts'

let site: TestApp
let member: number
let ownScript: number
let ownReview: number
let otherScript: number
let headers: { authorization: string }

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  const { db } = site
  member = await makeMember(db)
  ownScript = await makeScript(db, { author_id: member })
  otherScript = await makeScript(db, { stats: { one_star: 1 } })
  headers = await signIn(db, member)
  const row = { script_id: ownScript, member_id: await makeMember(db), rating: 4, review: 'Good.' }
  ownReview = (await db.insertInto('ratings').values(row).returning('id').executeTakeFirstOrThrow()).id
})

/** Sends a call that waits for the member's lock, and mutes the member before the lock is free. */
async function callDuringMute(call: string, payload: object) {
  const [method, url] = call.split(' ') as ['POST' | 'PUT' | 'DELETE', string]
  const { response: injected } = await site.db.transaction().execute(async (trx) => {
    await sql`select from members where id = ${member} for update`.execute(trx)
    // Not awaited: the call ends only after this transaction. `then` starts it.
    const pending = { response: site.app.inject({ method, url, headers, payload }).then((response) => response) }
    await waitUntilBlocked(site.pool)
    await sql`update members set muted_until = 'infinity' where id = ${member}`.execute(trx)
    return pending
  })
  const response = await injected
  return { status: response.statusCode, code: response.json<{ code?: string }>().code }
}

const NEW_SCRIPT = { title: 'Late', description: 'Text.', script_content: 'return 1' }

test.each<[string, () => [string, object]]>([
  ['a rating', () => [`POST /api/script-rating?id=${otherScript}`, { rating: 4 }]],
  ['a reply', () => ['PUT /api/rating-reply', { rating_id: ownReview, reply: 'Late' }]],
  ['a new script', () => ['POST /api/scripts', NEW_SCRIPT]],
  ['an edit', () => [`PUT /api/script-details?id=${ownScript}`, { title: 'Late' }]],
  ['a profile change', () => ['PUT /api/user-profiles', { bio: 'Late' }]],
])('rejects %s that waited while the member was muted', async (_, makeCall) => {
  expect(await callDuringMute(...makeCall())).toEqual({ status: 403, code: 'muted' })
})

test.each<[string, () => Promise<[string, object]>, number]>([
  [
    'a report',
    async () => ['POST /api/reports', { subject_type: 'script', subject_id: otherScript, reason: 'spam' }],
    201,
  ],
  ['reputation', async () => ['POST /api/profile-reputation', { target_user_id: await makeMember(site.db) }], 200],
  ['an entry', async () => ['POST /api/giveaways', { action: 'enter', giveaway_id: await makeGiveaway(site.db) }], 200],
  [
    'a removed rating',
    async () => {
      await site.db.insertInto('ratings').values({ script_id: otherScript, member_id: member, rating: 1 }).execute()
      return [`DELETE /api/script-rating?id=${otherScript}`, {}]
    },
    200,
  ],
])('accepts %s that waited while the member was muted', async (_, makeCall, status) => {
  expect(await callDuringMute(...(await makeCall()))).toEqual({ status, code: undefined })
})
