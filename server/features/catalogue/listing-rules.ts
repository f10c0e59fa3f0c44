// Rules that the SQL catalogue and the index share: which scripts are listed and what each flag means.
import { type RawBuilder, sql } from 'kysely'
import { type Flag, partnerOf } from '#contract/catalogue-names.ts'
import { isBanned } from '#server/features/members/standing.ts'

export type Condition = RawBuilder<boolean>

/** What each flag requires. `s` is scripts, `st` their stats. */
export const FLAG_CONDITIONS: Record<Flag, Condition> = {
  featured: sql`s.is_featured`,
  no_keysystem: sql`not s.has_key_system`,
  free_only: sql`s.is_free`,
  paid_only: sql`not s.is_free`,
  universal_only: sql`s.is_universal`,
  game_specific_only: sql`not s.is_universal`,
  client_side_only: sql`s.is_client_side`,
  fe_only: sql`not s.is_client_side`,
  verified_creators: sql`s.is_verified`,
  mobile_compatible: sql`s.is_mobile_compatible`,
  working_scripts: sql`s.is_working`,
  showcased: sql`s.showcase_date is not null`,
  // Ends as time passes, without a write: the change feed's follower delivers the script then.
  works_now: sql`coalesce(st.works_until > now(), false)`,
}

/** Whether everyone may see a script: it's public and its author isn't banned. `s` is scripts. */
export const LISTED: Condition = sql`s.is_public and s.author_id not in (select id from members where ${isBanned('members')})`

/** Adds a flag to the active flags and removes its opposite. */
export function flagsWith(flags: readonly Flag[], added: Flag): Flag[] {
  const partner = partnerOf(added)
  return [...flags.filter((flag) => flag !== partner && flag !== added), added]
}
