import { type RawBuilder, sql } from 'kysely'

/** SQL condition: one member has blocked another. Takes ids or SQL. */
export function isBlocking(
  blocker: number | RawBuilder<unknown>,
  blocked: number | null | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (select from blocks where blocker_id = ${blocker} and blocked_id = ${blocked})`
}
