import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** Who liked a demo script gave its author a point on that day, today left out: the day's points are still to be given. */
export async function loadReputation(trx: Database): Promise<void> {
  await sql`insert into reputation_ledger (receiver_id, giver_id, kind, points, day, created_at)
    select s.author_id, r.member_id, 'gift', 1, (r.created_at at time zone 'UTC')::date, max(r.created_at)
    from ratings r join scripts s on s.id = r.script_id
    where r.rating >= 4 and r.member_id <> s.author_id and r.created_at < date_trunc('day', now(), 'UTC')
    group by 1, 2, 5`.execute(trx)
  await sql`update members m set reputation = l.sum
    from (select receiver_id, sum(points)::int as sum from reputation_ledger group by 1) l
    where l.receiver_id = m.id`.execute(trx)
}
