import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { RESOLVED, makeCase } from '#tests/support/reports.ts'
import { repetitions } from '#tests/support/seed.ts'

let portal: Portal
beforeAll(async () => {
  portal = await createPortal()
})
afterAll(() => portal.close())

const ROUNDS = repetitions(8, 20)
const NEW_SCRIPT = { title: 'Late', description: 'Text.', script_content: 'return 1' }

async function hashOf(memberId: number): Promise<string> {
  const { rows } = await portal.pool.query<{ hash: string }>(
    `select md5(concat(
      (select string_agg(r::text, '' order by r.id) from ratings r where member_id = $1),
      (select string_agg(concat(s.id, s.title, s.updated_at, s.current_version), '' order by s.id) from scripts s where author_id = $1),
      (select string_agg(l::text, '' order by l.id) from reputation_ledger l where giver_id = $1),
      (select string_agg(e::text, '' order by e.id) from giveaway_entries e where member_id = $1),
      (select string_agg(p::text, '' order by p.id) from reports p where reporter_id = $1),
      (select string_agg(concat(c.id, c.appeal), '' order by c.id) from report_cases c where author_id = $1),
      (select string_agg(x.reply, '' order by x.id) from ratings x join scripts s on s.id = x.script_id where s.author_id = $1),
      (select count(*) from sessions where member_id = $1)
    )) as hash`,
    [memberId],
  )
  return rows[0]?.hash ?? ''
}

test('no write of a member commits after their ban is acknowledged', async () => {
  const { db } = portal
  let caughtInTheMiddle = 0
  for (let round = 0; round < ROUNDS; round++) {
    const id = await makeMember(db)
    const headers = await signIn(db, id)
    const ownId = await makeScript(db, { author_id: id })
    const { id: ratingId } = await db
      .insertInto('ratings')
      .values({ script_id: ownId, member_id: await makeMember(db), rating: 5, review: 'Good.' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const caseId = await makeCase(db, { author_id: id, subject_id: id, ...RESOLVED })
    const others = await Promise.all([1, 2, 3].map(() => makeScript(db)))
    const targets = await Promise.all([1, 2].map(() => makeMember(db)))
    const giveaways = await Promise.all([1, 2].map(() => makeGiveaway(db)))
    const calls: [string, object][] = [
      ...others.map((script): [string, object] => [
        `POST /api/script-rating?id=${script}`,
        { rating: 4, review: 'Late' },
      ]),
      ...targets.map((target): [string, object] => ['POST /api/profile-reputation', { target_user_id: target }]),
      ...giveaways.map((giveaway_id): [string, object] => ['POST /api/giveaways', { action: 'enter', giveaway_id }]),
      ...others.map((subject_id): [string, object] => [
        'POST /api/reports',
        { subject_type: 'script', subject_id, reason: 'spam' },
      ]),
      ['POST /api/scripts', NEW_SCRIPT],
      [`PUT /api/script-details?id=${ownId}`, { title: 'Late', script_content: 'return 2' }],
      ['PUT /api/rating-reply', { rating_id: ratingId, reply: 'Late' }],
      ['POST /api/appeals', { case_id: caseId, text: 'Late' }],
    ]
    const half = Math.floor(calls.length / 2)
    const early = calls.slice(0, half).map(([call, body]) => portal.send(call, body, headers))
    const ban = portal.act({ action: 'ban_user', user_id: id, reason: 'Spam', duration: 'permanent' })
    const late = calls.slice(half).map(([call, body]) => portal.send(call, body, headers))
    expect((await ban).status).toBe(200)
    const atBan = await hashOf(id)
    const statuses = (await Promise.all([...early, ...late])).map(({ status }) => status)
    expect(await hashOf(id)).toBe(atBan)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    if (statuses.some((status) => status < 300) && statuses.includes(401)) caughtInTheMiddle++
  }
  // Otherwise every ban came before or after all writes, and the test proves nothing.
  expect(caughtInTheMiddle).toBeGreaterThan(0)
})
