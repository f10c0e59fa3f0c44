import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { recordAllCode } from '#server/features/behavior/record.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import type { MediaLibrary } from '#server/platform/media/upload.ts'
import { loadComments } from './load-comments.ts'
import { loadDays } from './load-days.ts'
import { loadGiveaways } from './load-giveaways.ts'
import { loadInterests } from './load-interests.ts'
import { loadMembers } from './load-members.ts'
import { loadModeration } from './load-moderation.ts'
import { loadReviews } from './load-reviews.ts'
import { loadScripts } from './load-scripts.ts'
import { loadWorks } from './load-works.ts'

const LOCK = 7_301_150

/** Returns whether it loaded the data. If several servers start at once, one loads it and the others wait. */
export function fillWithDemo(db: Database, { media, seal }: { media: MediaLibrary; seal: Seal }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const existing = await trx.selectFrom('members').select('id').limit(1).executeTakeFirst()
    if (existing) return false
    const members = await loadMembers(trx, media)
    const scripts = await loadScripts(trx, media, members)
    await recordAllCode(trx)
    await loadReviews(trx, members, scripts)
    await loadDays(trx)
    await loadWorks(trx, members, scripts)
    await loadInterests(trx, members, scripts)
    await loadComments(trx, members, scripts)
    await loadReputation(trx)
    await loadModeration(trx, { members, scripts })
    await loadGiveaways(trx, seal, members)
    return true
  })
}

/** A point a day for four stars or more. Ratings of today give none: test accounts still have all of today's points. */
async function loadReputation(trx: Transaction): Promise<void> {
  await sql`insert into reputation_ledger (receiver_id, giver_id, kind, points, day, created_at)
    select s.author_id, r.member_id, 'gift', 1, (r.created_at at time zone 'UTC')::date, max(r.created_at)
    from ratings r join scripts s on s.id = r.script_id
    where r.rating >= 4 and r.member_id <> s.author_id and r.created_at < date_trunc('day', now(), 'UTC')
    group by 1, 2, 5`.execute(trx)
  await sql`update members m set reputation = l.sum
    from (select receiver_id, sum(points)::int as sum from reputation_ledger group by 1) l
    where l.receiver_id = m.id`.execute(trx)
}
