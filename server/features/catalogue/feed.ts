import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

export interface FeedPosition {
  transactionId: string
  sequence: number
}

const BATCH = 10_000

/** Where the feed stands now: every later change has a higher position. */
export async function findFeedEnd(db: Database): Promise<FeedPosition> {
  const { rows } = await sql<{ end: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as end`.execute(db)
  return { transactionId: rows[0]?.end ?? '0', sequence: -1 }
}

export interface FeedPage {
  position: FeedPosition
  scriptIds: number[]
  isLast: boolean
}

/**
 * The next changes after a position, in commit order. Rows of transactions that are younger than the oldest running one
 * wait: between them a row could still appear.
 */
export async function readFeed(db: Database, after: FeedPosition): Promise<FeedPage> {
  const { rows } = await sql<{ transaction_id: string; sequence: number; script_id: number }>`
    select transaction_id::text as transaction_id, sequence, script_id from catalogue_changes
    where (transaction_id, sequence) > (${after.transactionId}::xid8, ${after.sequence})
      and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by catalogue_changes.transaction_id, catalogue_changes.sequence limit ${BATCH}`.execute(db)
  const last = rows.at(-1)
  return {
    position: last ? { transactionId: last.transaction_id, sequence: last.sequence } : after,
    scriptIds: rows.map((row) => row.script_id),
    isLast: rows.length < BATCH,
  }
}

/** The database's clock, in its own words: JavaScript's dates would cut off the microseconds. */
export async function readClock(db: Database): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  return rows[0]?.now ?? '-infinity'
}

/** Scripts of authors whose ban ended in between: time passed, and nobody wrote a row. */
export async function findReturned(db: Database, from: string, to: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select s.id from scripts s join members m on m.id = s.author_id
    where m.banned_until > ${from}::timestamptz and m.banned_until <= ${to}::timestamptz`.execute(db)
  return rows.map((row) => row.id)
}

/** Drops what every process has long read; one that was away for longer starts afresh. */
export async function forgetOldChanges(db: Database): Promise<void> {
  await sql`delete from catalogue_changes where changed_at < now() - interval '1 hour'`.execute(db)
}
