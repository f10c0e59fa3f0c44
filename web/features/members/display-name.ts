import type { Profile } from '#contract/members.ts'

/** The name a member is shown under. */
export const displayNameOf = ({ display_name, username }: Pick<Profile, 'display_name' | 'username'>): string =>
  display_name || username
