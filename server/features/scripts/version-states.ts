// Changes of the state of versions. Which one is current, and whether the script is public, follows from the states.
import { sql } from 'kysely'
import type { Transaction } from '#server/platform/db/database.ts'
import { nextUpdate, stateTime, type StoredState } from './queries.ts'

export async function setVersionState(
  trx: Transaction,
  { id, number, state }: { id: number; number: number; state: StoredState },
): Promise<void> {
  await sql`update script_versions set state = ${state}, state_since = ${stateTime(id, state)},
      published_at = case when ${state} <> 'published' then published_at end
    where script_id = ${id} and number = ${number}`.execute(trx)
}

/** Discards the version that waits, if there is one. One that was to take the place of withdrawn code is a former one again. */
export async function discardWaiting(trx: Transaction, id: number, reason: string): Promise<void> {
  await sql`update script_versions set state = case when published_at is null then 'discarded' else 'published' end,
      discard_reason = case when published_at is null then ${reason} end,
      state_since = coalesce(published_at, clock_timestamp()), published_at = null
    where script_id = ${id} and state in ('checking', 'held')`.execute(trx)
}

/** Discards the version that waits, if there is one, for a newer one. */
export async function replaceWaiting(trx: Transaction, id: number, by: string): Promise<void> {
  await discardWaiting(trx, id, `Replaced by ${by}.`)
}

/**
 * Makes the version current that was published last; in a private script, also one that was not checked. While that one is
 * withdrawn, no former one is current: whatever takes its place is checked first. A script whose author wants it to be public
 * but which has no such version is not public until it has one. If all versions were discarded, the script becomes private.
 * `isPublic` is the author's new choice.
 */
export async function settleScript(trx: Transaction, id: number, isPublic?: boolean): Promise<void> {
  const wants = isPublic === undefined ? sql`coalesce(s.was_public, s.is_public)` : sql`${isPublic}::boolean`
  await sql`update scripts s set current_version = c.number, version = c.version, file_size = c.size,
      is_public = c.wants and c.is_published and s.hidden_at is null,
      is_unchecked = c.wants and not c.is_published,
      was_public = case when s.hidden_at is not null or c.wants and not c.is_published then c.wants end,
      updated_at = case when c.number = s.current_version then s.updated_at else ${nextUpdate} end
    from (
      select v.number, v.version, v.size, v.is_last and v.state = 'published' as is_published,
        w.wants and v.state <> 'discarded' as wants
      from scripts s cross join lateral (select ${wants} as wants) w cross join lateral (
        select *, state in ('published', 'withdrawn') and row_number() over (order by
          state in ('published', 'withdrawn') desc, coalesce(published_at, state_since) desc, number desc) = 1 as is_last
        from script_versions where script_id = s.id) v
      where s.id = ${id} and (v.number = s.current_version or v.is_last or v.state not in ('discarded', 'withdrawn'))
      order by v.is_last and v.state = 'published' or v.state = 'private' and not w.wants desc,
        v.state in ('checking', 'held') desc, v.is_last and v.state = 'withdrawn' desc, v.state_since desc, v.number desc
      limit 1) c
    where s.id = ${id}`.execute(trx)
}
