// Limits on what one person may do in a time. What is counted belongs to the person (see accounts/persons.ts) and stays when
// comments or accounts are deleted.
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/platform/db/database.ts'

export interface Limit {
  uses: number
  /** The time in which uses count. */
  seconds: number
}

const HOUR = 3600
const DAY = 86_400

export const LIMITS = {
  comments: { uses: 60, seconds: HOUR },
  /** Per script. Its author chooses a shorter time, or none. */
  slow_mode: { uses: 1, seconds: HOUR },
  reports: { uses: 20, seconds: DAY },
  confirmations: { uses: 5, seconds: DAY },
  confirmation_pause: { uses: 1, seconds: 60 },
  /** Per address, for all members together. */
  confirmations_to_address: { uses: 3, seconds: DAY },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

/** SQL: the key of a member's person. */
export const personOf = (memberId: number): RawBuilder<string> => sql<string>`person_of(${memberId})::text`

/**
 * Counts a use in the caller's transaction. Concurrent calls with one key wait for each other. Returns 0, or the seconds until
 * another use is allowed if there were too many; then nothing is counted. `seconds` is a shorter time than the limit's own.
 */
export async function countUse(
  trx: Transaction,
  name: LimitName,
  key: RawBuilder<string>,
  seconds: number = LIMITS[name].seconds,
): Promise<number> {
  const { uses, seconds: storedFor } = LIMITS[name]
  const recent = sql`array(select used_at from unnest(known.uses) used_at
    where used_at > now() - ${seconds} * interval '1 second' order by used_at)`
  const counted = await sql`insert into limit_uses as known (name, key, uses, expires_at)
    values (${name}, ${key}, array[now()], now() + ${storedFor} * interval '1 second')
    on conflict (name, key) do update set uses = ${recent} || excluded.uses, expires_at = excluded.expires_at
      where cardinality(${recent}) < ${uses}`.execute(trx)
  if (counted.numAffectedRows) return 0
  const { rows } = await sql<{ wait: number }>`select
      ceil(extract(epoch from min(used_at) - now()) + ${seconds})::int as wait
    from (select used_at from limit_uses, unnest(uses) used_at where name = ${name} and key = ${key}
      order by used_at desc limit ${uses}) latest`.execute(trx)
  return Math.max(1, rows[0]?.wait ?? 0)
}
