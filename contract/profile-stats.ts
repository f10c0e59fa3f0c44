import type { Profile, StableProfile } from './members.ts'

export type ProfileStats = NonNullable<StableProfile['script_stats']>

/** The stats of a profile; undefined if the member hides them, so that all are null. */
export function shownStats({ script_stats }: Pick<Profile, 'script_stats'>): ProfileStats | undefined {
  return script_stats.scripts_uploaded === null ? undefined : (script_stats as ProfileStats)
}
