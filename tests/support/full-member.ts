import { createHash, randomUUID } from 'node:crypto'
import { createPrizeSeal } from '#server/features/giveaways/seal.ts'
import { openSession } from '#server/features/accounts/sessions.ts'
import { countUse, personOf } from '#server/platform/limits/limits.ts'
import { chargeUpload } from '#server/platform/media/upload-quota.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { TestApp } from './app.ts'
import { makeGiveaway } from './giveaways.ts'
import { makeApiToken, makeMember, makeScript } from './factories.ts'
import { makeWebhook } from './webhooks.ts'
import { makePublisher, makeSource } from './repositories.ts'
import { makeCase, RESOLVED } from './reports.ts'

/** A member with data in every table, and the ids of that data. */
export interface FullMember {
  id: number
  username: string
  scripts: number[]
  /** Another member's script that they rated. */
  rated: number
  /** The member on the other side of every interaction. */
  other: number
}

export const PRIZE = 'KEY-ONE-TWO'

let serial = 0

/** Creates a member with a row for every column that can reference a member. */
export async function makeFullMember({ db, config }: TestApp, values: object = {}): Promise<FullMember> {
  const username = `whole${++serial}`
  const [id, other] = [await makeMember(db, { username, slug: username, ...values }), await makeMember(db)]
  const scripts = [
    await makeScript(db, { author_id: id, title: 'Spring', tags: ['motion', 'ui'], content: 'return "first"' }),
    await makeScript(db, { author_id: id, title: 'Hidden', is_public: false }),
  ]
  const rated = await makeScript(db, { author_id: other, stats: { four_star: 1 } })
  await Promise.all([
    openSession(db, id),
    makeApiToken(db, id),
    makeScreenshot(db, scripts[0] ?? 0),
    makeScriptDays(db, scripts[0] ?? 0),
    makeSignIns(db, id),
    makeSanctions(db, id, other),
    makeRatings(db, { id, other, rated, own: scripts[0] ?? 0 }),
    makeVotes(db, { id, rated }),
    makeReputation(db, id, other),
    makeFollowing(db, id, { other, rated, own: scripts[0] ?? 0 }),
    makeComments(db, id, { other, rated, own: scripts[0] ?? 0 }),
    makeNotifications(db, id, other),
    makeGiveaways(db, config.secretKey, id),
    makeReports(db, id, { other, rated, own: scripts[0] ?? 0 }),
    db.transaction().execute(async (trx) => {
      const subjectType = 'member'
      await writeAudit(trx, { actorId: id, action: 'edit_user', subjectType, subjectId: other, memberId: other })
      await writeAudit(trx, { actorId: other, action: 'warn_user', subjectType, subjectId: id, memberId: id })
    }),
    makeReleases(db, { own: scripts[0] ?? 0, rated }),
    makePublisher(db, scripts[0] ?? 0),
    makeEmail(db, id),
    makeWebhook(db, { owner_id: id, actor_id: id, author_id: id, script_ids: scripts }, config.secretKey),
    makeSource(db, { owner_id: id, script_id: scripts[0] ?? 0 }, config.secretKey),
    chargeUpload(db, { bytesPerDay: 1000 }, id, 1000),
    db.transaction().execute((trx) => countUse(trx, 'comments', personOf(id))),
    db
      .insertInto('drafts')
      .values({
        member_id: id,
        key: 'd'.repeat(32),
        content: '{"values": {"title": "Not yet"}}',
        updated_at: new Date(),
      })
      .execute(),
    db
      .insertInto('publish_keys')
      .values({ member_id: id, key: `key-of-${username}`, body_sha256: Buffer.alloc(32) })
      .execute(),
  ])
  return { id, username, scripts, rated, other }
}

type Db = TestApp['db']

/** A withdrawn version of the member's script, and a copy of its code. */
async function makeReleases(db: Db, { own, rated }: { own: number; rated: number }): Promise<void> {
  const sha256 = createHash('sha256').update(`withdrawn code of ${own}`).digest('hex')
  const withdrawal = { script_id: own, sha256, slug: `spring-${own}`, version: '0.9.0', reason: 'It lost saved games.' }
  await db
    .insertInto('withdrawals')
    .values({ ...withdrawal, withdrawn_as: 'author' })
    .execute()
  await db.insertInto('code_hashes').values({ sha256, token_sha256: sha256 }).execute()
  await db
    .insertInto('withdrawals')
    .values({ script_id: rated, sha256, subject: 'script', withdrawn_as: 'moderators', is_sitewide: true })
    .execute()
  await db.insertInto('copy_notices').values({ original_id: own, copy_id: rated }).execute()
  await db
    .insertInto('hold_settings')
    .values({ hold_hours: 12 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function makeScreenshot(db: Db, script_id: number): Promise<void> {
  const hash = createHash('sha256').update(`screenshot of ${script_id}`).digest('hex')
  await db.insertInto('media').values({ hash, width: 1280, height: 720 }).execute()
  await db.insertInto('script_screenshots').values({ script_id, position: 1, image: hash, alt: 'The menu' }).execute()
}

async function makeScriptDays(db: Db, script_id: number): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  await db.insertInto('script_days').values({ script_id, day, version_number: 1, views: 2 }).execute()
  await db.insertInto('script_referrers').values({ script_id, day, host: 'example.com', views: 1 }).execute()
}

async function makeFollowing(db: Db, id: number, { other, rated, own }: Reported): Promise<void> {
  await db.insertInto('favorites').values({ member_id: id, script_id: rated }).execute()
  const collection = { owner_id: id, name: 'Lamps', is_public: true }
  const { id: collection_id } = await db
    .insertInto('collections')
    .values(collection)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('collection_items').values({ collection_id, script_id: rated, position: 1 }).execute()
  await db.insertInto('watches').values({ member_id: id, script_id: rated }).execute()
  await db
    .insertInto('follows')
    .values([
      { follower_id: id, author_id: other },
      { follower_id: other, author_id: id },
    ])
    .execute()
  await db
    .insertInto('blocks')
    .values([
      { blocker_id: id, blocked_id: other },
      { blocker_id: other, blocked_id: id },
    ])
    .execute()
  await db
    .insertInto('broadcasts')
    .values({ type: 'info', audience: 'followers', author_id: id, script_id: own })
    .execute()
}

async function makeComments(db: Db, id: number, { other, rated, own }: Reported): Promise<void> {
  await db.insertInto('comments').values({ script_id: rated, author_id: id, text: 'A question.' }).execute()
  const { id: comment } = await db
    .insertInto('comments')
    .values({ script_id: rated, author_id: other, text: 'An answer.' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('comment_votes').values({ comment_id: comment, member_id: id }).execute()
  await db.insertInto('comment_settings').values({ script_id: own, slow_seconds: 30 }).execute()
  const { id: rating } = await db
    .insertInto('ratings')
    .values({ script_id: await makeScript(db), member_id: other, rating: 5, review: 'Good.' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('rating_votes').values({ rating_id: rating, member_id: id }).execute()
}

async function makeEmail(db: Db, member_id: number): Promise<void> {
  const address = `member${member_id}@example.com`
  await db.insertInto('email_addresses').values({ member_id, address, confirmed_at: new Date() }).execute()
  const token_hash = createHash('sha256').update(`confirmation of ${member_id}`).digest()
  const pending = { member_id, address: `new${member_id}@example.com`, token_hash }
  await db.insertInto('email_confirmations').values(pending).execute()
  const content = JSON.stringify({ subject: 'One new notification', blocks: [] })
  await db.insertInto('emails').values({ member_id, kind: 'digest', address, content }).execute()
  await db.insertInto('known_devices').values({ member_id, device_hash: token_hash }).execute()
}

async function makeSignIns(db: Db, id: number): Promise<void> {
  const browser_hash = Buffer.alloc(32, `b${id}`)
  await db
    .insertInto('login_tokens')
    .values({ token_hash: Buffer.alloc(32, `t${id}`), browser_hash, member_id: id })
    .execute()
  await db.insertInto('rejected_sign_ins').values({ browser_hash, member_id: id }).execute()
}

async function makeSanctions(db: Db, id: number, other: number): Promise<void> {
  const warning = { kind: 'warning', severity: 'minor', ends_at: 'infinity' } as const
  await db
    .insertInto('sanctions')
    .values([
      { ...warning, member_id: id, reason: 'Was loud.', imposed_by: other },
      { ...warning, member_id: other, reason: 'Was louder.', imposed_by: id, lifted_by: id },
    ])
    .execute()
}

interface Rated {
  id: number
  other: number
  rated: number
  own: number
}

async function makeRatings(db: Db, { id, other, rated, own }: Rated): Promise<void> {
  await db
    .insertInto('ratings')
    .values([
      { script_id: rated, member_id: id, rating: 4, review: 'My words.' },
      {
        script_id: own,
        member_id: other,
        rating: 5,
        review: 'Their words.',
        reply: 'My reply.',
        replied_at: new Date(),
      },
    ])
    .execute()
}

async function makeVotes(db: Db, { id, rated }: { id: number; rated: number }): Promise<void> {
  const vote = { script_id: rated, version_number: 1, member_id: id, works: false, note: 'My note.' }
  await db
    .insertInto('works_votes')
    .values({ ...vote, weight: 1, is_established: true })
    .execute()
}

async function makeReputation(db: Db, id: number, other: number): Promise<void> {
  await db
    .insertInto('reputation_ledger')
    .values([
      { receiver_id: id, giver_id: other, kind: 'gift', points: 1 },
      { receiver_id: other, giver_id: id, kind: 'gift', points: 1 },
    ])
    .execute()
}

async function makeNotifications(db: Db, id: number, other: number): Promise<void> {
  const notification = {
    kind: 'reputation',
    type: 'success',
    title: 'New reputation',
    message: 'gave you a point.',
  } as const
  await db
    .insertInto('notifications')
    .values([
      { ...notification, member_id: id, actor_id: other, actors: [other] },
      { ...notification, member_id: other, actor_id: id, actors: [id] },
    ])
    .execute()
  await db
    .insertInto('inboxes')
    .values({ member_id: id, unwanted_kinds: ['reviews'] })
    .execute()
  const sent = { type: 'info', title: 'To all', message: 'Hello.', sent_by: id } as const
  const broadcast = await db.insertInto('broadcasts').values(sent).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('broadcast_marks').values({ member_id: id, broadcast_id: broadcast.id }).execute()
}

async function makeGiveaways(db: Db, secretKey: Buffer, id: number): Promise<void> {
  const giveaway_id = await makeGiveaway(db, {
    created_by: id,
    entry_count: 1,
    drawn_at: new Date(),
    seed: 'ab'.repeat(32),
  })
  const sealed_prize = createPrizeSeal(secretKey).seal(PRIZE)
  await db.insertInto('giveaway_entries').values({ giveaway_id, member_id: id, place: 1, sealed_prize }).execute()
}

interface Reported {
  other: number
  rated: number
  own: number
}

async function makeReports(db: Db, id: number, { other, rated, own }: Reported): Promise<void> {
  await db
    .insertInto('behavior_hosts')
    .values({ host: `${randomUUID()}.example`, kind: 'known', marked_by: id })
    .execute()
  const subject = { subject_type: 'script', subject_id: rated } as const
  const case_id = await makeCase(db, { ...subject, author_id: other, status: 'claimed', claimed_by: id })
  await db
    .insertInto('reports')
    .values({ ...subject, case_id, reporter_id: id, reason: 'spam' })
    .execute()
  await makeCase(db, { ...RESOLVED, subject_type: 'script', subject_id: own, author_id: id, decided_by: other })
  await makeCase(db, {
    ...RESOLVED,
    subject_id: other,
    author_id: other,
    decided_by: id,
    appeal: 'It was not.',
    appealed_at: new Date(),
    appeal_status: 'upheld',
    appeal_decision: 'It was.',
    appeal_decided_by: id,
  })
}
