import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportCase } from '#contract/reports.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'

type Headers = Record<string, string>

let portal: Portal
let moderator: Headers
let moderatorId: number
beforeAll(async () => {
  portal = await createPortal()
  moderatorId = await makeMember(portal.db, { username: 'Mod', is_moderator: true })
  moderator = await signIn(portal.db, moderatorId)
})
afterAll(() => portal.close())

interface Decided {
  case: ReportCase
  code: string
}

const decide = (payload: object, by = moderator) => portal.send<Decided>('PUT /api/reports', payload, by)

async function report(subject_type: 'script' | 'review', subject_id: number, reason = 'spam'): Promise<number> {
  const reporter = await signIn(portal.db)
  expect((await portal.send('POST /api/reports', { subject_type, subject_id, reason }, reporter)).status).toBe(201)
  const { id } = await portal.db
    .selectFrom('report_cases')
    .select('id')
    .where('subject_type', '=', subject_type)
    .where('subject_id', '=', subject_id)
    .executeTakeFirstOrThrow()
  return id
}

/** A case about a review, by default of a new member. */
async function makeReviewCase(
  author: Parameters<typeof makeMember>[1] = {},
): Promise<{ id: number; authorId: number }> {
  const { db } = portal
  const authorId = await makeMember(db, author)
  const scriptId = await makeScript(db)
  const rating = { rating: 1, review: 'Buy it.' }
  const rated = await portal.send(`POST /api/script-rating?id=${scriptId}`, rating, await signIn(db, authorId))
  expect(rated.status).toBe(200)
  const review = await db.selectFrom('ratings').select('id').where('member_id', '=', authorId).executeTakeFirstOrThrow()
  return { id: await report('review', review.id), authorId }
}

const readCase = async (id: number) => {
  const { body } = await portal.get<{ cases: ReportCase[] }>('/api/reports?status=all&limit=100', moderator)
  return body.cases.find((listed) => listed.id === id)
}

const isMuted = async (id: number) => {
  const { rows } = await sql`select from members where id = ${id} and muted_until > now()`.execute(portal.db)
  return rows.length > 0
}

describe('a decision against the author of a review', () => {
  test('mutes them for the chosen hours, with the reason, and is audited', async () => {
    const { id, authorId } = await makeReviewCase()
    expect(await readCase(id)).toMatchObject({ can_mute: true, compare: null })
    const { status, body } = await decide({ id, action: 'hide', decision: 'Advertising.', mute_hours: 6 })
    expect([status, body.case.can_mute, body.case.is_hidden]).toEqual([200, false, true])
    const { rows } = await sql<{ hours: number; imposed_by: number; reason: string }>`select imposed_by, reason,
        extract(epoch from ends_at - imposed_at)::int / 3600 as hours
      from sanctions where member_id = ${authorId} and kind = 'mute'`.execute(portal.db)
    expect(rows).toEqual([{ hours: 6, imposed_by: moderatorId, reason: 'Advertising.' }])
    expect(await isMuted(authorId)).toBe(true)
    expect((await portal.findNotifications(authorId)).map(({ title }) => title)).toContain('You are muted')
    const actions = (await portal.findAuditEntries(authorId)).map(({ action, actor_id }) => [action, actor_id])
    expect(actions[0]).toEqual(['mute_user', moderatorId])
  })

  test('mutes only if it is one, and decides nothing otherwise', async () => {
    const { id, authorId } = await makeReviewCase()
    for (const action of ['claim', 'dismiss', 'unhide']) {
      const { status, body } = await decide({ id, action, decision: 'Why.', mute_hours: 6 })
      expect([action, status, body.code]).toEqual([action, 409, 'cannot_mute'])
    }
    expect((await decide({ id, action: 'hide', decision: 'Why.', mute_hours: 1000 })).status).toBe(400)
    expect((await decide({ id, action: 'hide', mute_hours: 6 })).status).toBe(400)
    expect([await isMuted(authorId), (await readCase(id))?.status]).toEqual([false, 'open'])
  })

  test('mutes nobody who is muted, and no moderator unless by an admin', async () => {
    const muted = await makeReviewCase()
    await portal.act({ action: 'mute_user', user_id: muted.authorId, reason: 'Loud.' })
    expect(await readCase(muted.id)).toMatchObject({ can_mute: false })
    const again = await decide({ id: muted.id, action: 'resolve', decision: 'Why.', mute_hours: 1 })
    expect([again.status, again.body.code]).toEqual([409, 'cannot_mute'])

    const staff = await makeReviewCase({ is_moderator: true })
    const payload = { id: staff.id, action: 'hide', decision: 'Why.', mute_hours: 1 }
    expect((await decide(payload)).body.code).toBe('protected_author')
    expect(await isMuted(staff.authorId)).toBe(false)
    expect((await decide(payload, portal.admin)).status).toBe(200)
    expect(await isMuted(staff.authorId)).toBe(true)
  })
})

test('the author of a script can be muted for spam only after an earlier decision', async () => {
  const { db } = portal
  const author_id = await makeMember(db)
  const make = () => makeScript(db, { author_id })
  const first = await report('script', await make())
  expect(await readCase(first)).toMatchObject({ can_mute: false })
  expect((await decide({ id: first, action: 'hide', decision: 'Spam.', mute_hours: 24 })).body.code).toBe('cannot_mute')
  expect((await decide({ id: first, action: 'hide', decision: 'Spam.' })).status).toBe(200)

  const stolen = await report('script', await make(), 'stolen')
  expect(await readCase(stolen)).toMatchObject({ can_mute: false })
  const second = await report('script', await make())
  expect(await readCase(second)).toMatchObject({ can_mute: true })
  expect((await decide({ id: second, action: 'resolve', decision: 'Again.', mute_hours: 24 })).status).toBe(200)
  expect(await isMuted(author_id)).toBe(true)
})

describe('an appeal', () => {
  async function appeal(action: 'grant' | 'uphold', mute_hours?: number) {
    const { id, authorId } = await makeReviewCase()
    await decide({ id, action: 'hide', decision: 'Advertising.', ...(mute_hours ? { mute_hours } : {}) })
    if (!mute_hours) await portal.act({ action: 'mute_user', user_id: authorId, reason: 'Something else.' })
    const author = await signIn(portal.db, authorId)
    expect((await portal.send('POST /api/appeals', { case_id: id, text: 'It is none.' }, author)).status).toBe(201)
    expect((await decide({ id, action, decision: 'Looked at it.' }, portal.admin)).status).toBe(200)
    return authorId
  }

  test('that is granted ends the mute of the decision', async () => {
    const authorId = await appeal('grant', 168)
    expect(await isMuted(authorId)).toBe(false)
    expect((await portal.findNotifications(authorId)).map(({ title }) => title)).toContain('Your mute was lifted')
  })

  test('that is upheld leaves it, and a granted one leaves the mutes of admins', async () => {
    expect(await isMuted(await appeal('uphold', 168))).toBe(true)
    expect(await isMuted(await appeal('grant'))).toBe(true)
  })
})

test('a case about a script names the version before the one that it is about', async () => {
  const { db } = portal
  const scriptId = await makeScript(db)
  const id = await report('script', scriptId)
  expect((await readCase(id))?.compare).toBeNull()
  await sql`insert into script_versions (script_id, number, version, content, sha256, size, state)
    select script_id, 2, '1.1.0', content, sha256, size, 'published' from script_versions where script_id = ${scriptId}`.execute(
    db,
  )
  await sql`update scripts set current_version = 2 where id = ${scriptId}`.execute(db)
  expect((await readCase(id))?.compare).toEqual({ from: 1, to: 2 })
})
