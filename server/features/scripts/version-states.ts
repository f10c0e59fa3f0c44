// Changes of the state of versions. Which one is current, and whether the script is public, follows from the states.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { nextUpdate, stateTime, type StoredState } from './queries.ts'

export async function setVersionState(
  trx: Database,
  { id, number, state, reason = null }: { id: number; number: number; state: StoredState; reason?: string | null },
): Promise<void> {
  await sql`update script_versions set state = ${state}, state_since = ${stateTime(id, state)}, discard_reason = ${reason}
    where script_id = ${id} and number = ${number}`.execute(trx)
}

/** Discards the version that waits, if there is one, for a newer one. */
export async function replaceWaiting(trx: Database, id: number, by: string): Promise<void> {
  await sql`update script_versions set state = 'discarded', state_since = clock_timestamp(),
      discard_reason = ${`Replaced by ${by}.`}
    where script_id = ${id} and state in ('checking', 'held')`.execute(trx)
}

/**
 * Makes the version current that was published last; in a private script, also one that was not checked. A script whose
 * author wants it to be public but which has no published version is not public until it has one. If no version is left to
 * become current, the script becomes private. `isPublic` is the author's new choice.
 */
export async function settleScript(trx: Database, id: number, isPublic?: boolean): Promise<void> {
  const wants = isPublic === undefined ? sql`coalesce(s.was_public, s.is_public)` : sql`${isPublic}::boolean`
  await sql`update scripts s set current_version = c.number, version = c.version, file_size = c.size,
      is_public = c.wants and c.state = 'published' and s.hidden_at is null,
      is_unchecked = c.wants and c.state <> 'published',
      was_public = case when s.hidden_at is not null or c.wants and c.state <> 'published' then c.wants end,
      updated_at = case when c.number = s.current_version then s.updated_at else ${nextUpdate} end
    from (
      select v.number, v.version, v.size, v.state, w.wants and v.state not in ('discarded', 'withdrawn') as wants
      from scripts s cross join lateral (select ${wants} as wants) w join script_versions v on v.script_id = s.id
      where s.id = ${id} and (v.number = s.current_version or v.state not in ('discarded', 'withdrawn'))
      order by v.state = 'published' or v.state = 'private' and not w.wants desc,
        v.state in ('checking', 'held') desc, v.state_since desc, v.number desc
      limit 1) c
    where s.id = ${id}`.execute(trx)
}
