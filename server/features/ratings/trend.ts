import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

const HASH_BYTES = 16

/** Moves a script's trend for a member's new rating, once a day at most: it may be taken back and given again. */
export async function noteTrend(
  trx: Database,
  { scriptId, memberId }: { scriptId: number; memberId: number },
): Promise<void> {
  const rater = createHash('sha256').update(`rating of ${memberId}`).digest().subarray(0, HASH_BYTES)
  await sql`with counted as (
      insert into script_visits as known (script_id, kind, visitor) values (${scriptId}, 'rating', ${rater})
      on conflict (script_id, kind, visitor) do update set counted_at = now()
        where known.counted_at < now() - interval '24 hours'
      returning script_id
    )
    update script_stats st set trend = add_trend(st.trend, 5) from counted where st.script_id = counted.script_id`.execute(
    trx,
  )
}
