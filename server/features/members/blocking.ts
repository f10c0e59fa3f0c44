import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** SQL condition: one member has blocked another. Takes ids or SQL. */
export function isBlocking(
  blocker: number | RawBuilder<unknown>,
  blocked: number | null | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (select from blocks where blocker_id = ${blocker} and blocked_id = ${blocked})`
}

export async function hasBlocked(db: Database, blockerId: number, blockedId: number): Promise<boolean> {
  const { rows } = await sql`select where ${isBlocking(blockerId, blockedId)}`.execute(db)
  return rows.length > 0
}
