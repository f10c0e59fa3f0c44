import { sql } from 'kysely'
import type { SocialLinks } from '#contract/members.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isBanned } from './standing.ts'

export interface MemberRow {
  id: number
  slug: string
  username: string
  /** Null for an imported member. */
  discord_id: string | null
  avatar: string | null
  discriminator: string
  email: string | null
  display_name: string | null
  bio: string | null
  location: string | null
  website: string | null
  social_links: SocialLinks
  profile_image: string | null
  banner_image: string | null
  is_private: boolean
  show_email: boolean
  show_location: boolean
  show_website: boolean
  show_social_links: boolean
  show_script_stats: boolean
  show_recent_activity: boolean
  is_admin: boolean
  is_moderator: boolean
  title: string | null
  custom_badge: string | null
  badge_color: string
  reputation: number
  created_at: Date
  last_seen_at: Date | null
  is_banned: boolean
  follower_count: number
}

const DIGITS = /^[0-9]+$/
const MAX_ID_DIGITS = 10
const MAX_ID = 2_147_483_647

/**
 * Looks for id, slug, then username, the latter two in any case. Usernames move at Discord: a slug never does, so it decides
 * first, and of several members with a username the newest is meant.
 */
export async function findMember(db: Database, name: string): Promise<MemberRow | undefined> {
  const { rows } =
    await sql<MemberRow>`select m.id, m.slug, m.username, m.discord_id, m.avatar, m.discriminator, m.email,
      m.display_name, m.bio, m.location, m.website, m.social_links, m.profile_image, m.banner_image, m.is_private,
      m.show_email, m.show_location, m.show_website, m.show_social_links, m.show_script_stats, m.show_recent_activity,
      m.is_admin, m.is_moderator, m.title, m.custom_badge, m.badge_color, m.reputation, m.created_at, m.last_seen_at,
      coalesce(${isBanned('m')}, false) as is_banned,
      coalesce((select follower_count from follower_counts where member_id = m.id), 0) as follower_count
    from members m where m.id = ${idOf(name)}`.execute(db)
  return rows[0]
}

function idOf(name: string) {
  if (DIGITS.test(name)) {
    const id = name.length <= MAX_ID_DIGITS ? Number(name) : 0
    return sql`${id <= MAX_ID ? id : 0}::int`
  }
  const text = name.normalize('NFC')
  // `+ 0` prevents a backward scan of the primary key for max(id).
  return sql`coalesce((select id from members where slug = ${text.toLowerCase()}),
    (select max(id + 0) from members where lower(username) = lower(${text})))`
}
