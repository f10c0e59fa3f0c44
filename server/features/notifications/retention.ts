import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** Older ones go, read or not; and what one member has beyond the cap, the oldest first. */
const MAX_AGE = '180 days'
const MAX_PER_MEMBER = 10_000
const BATCH = 10_000

/** Deletes what is too old or too much, in batches that hold nobody up for long. */
export async function deleteOldNotifications(db: Database): Promise<void> {
  await sql`delete from broadcasts where created_at < now() - ${MAX_AGE}::interval`.execute(db)
  for (;;) {
    const gone = await sql`delete from notifications where id in (
      select id from notifications where moved_at < now() - ${MAX_AGE}::interval limit ${BATCH})`.execute(db)
    if ((gone.numAffectedRows ?? 0n) < BATCH) break
  }
  await sql`delete from notifications where id in (
    select old.id from (select member_id from notifications group by member_id having count(*) > ${MAX_PER_MEMBER}) full_inbox
      cross join lateral (select id from notifications n where n.member_id = full_inbox.member_id
        order by moved_at desc, id desc offset ${MAX_PER_MEMBER}) old)`.execute(db)
}
