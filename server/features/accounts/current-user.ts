import type { CurrentUser } from '#contract/accounts.ts'
import type { Database } from '#server/platform/db/database.ts'
import { mediaPath } from '#server/platform/media/store.ts'
import { avatarUrl } from '#server/features/members/avatar.ts'

const COLUMNS = [
  'id',
  'username',
  'display_name',
  'email',
  'is_admin',
  'is_moderator',
  'discord_id',
  'avatar',
  'discriminator',
  'profile_image',
  'slug',
  'created_at',
] as const

export async function findCurrentUser(db: Database, memberId: number): Promise<CurrentUser | undefined> {
  const row = await db.selectFrom('members').select(COLUMNS).where('id', '=', memberId).executeTakeFirst()
  // An imported member has no Discord account, and no session either.
  if (!row || row.discord_id === null) return undefined
  return {
    ...row,
    discord_id: row.discord_id,
    avatar_url: avatarUrl(row),
    profile_image: row.profile_image && mediaPath(row.profile_image, 'full'),
    created_at: row.created_at.toISOString(),
  }
}
