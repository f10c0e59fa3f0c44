import { demoMembers } from '#demo/members.ts'
import type { DemoMember } from '#demo/types.ts'
import { makeSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { MediaLibrary } from '#server/platform/media/upload.ts'
import { storeDemoImage } from './store-image.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

/** The id of a member or a script of the demo data. Throws an Error for an unknown key. */
export function getId(ids: Map<string, number>, key: string): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error(`The demo data has no ${key}.`)
  return id
}

export async function loadMembers(db: Database, media: MediaLibrary): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const member of demoMembers) {
    const images = {
      profile_image: await storeDemoImage(db, media, 'avatars', member.key),
      banner_image: await storeDemoImage(db, media, 'banners', member.key),
    }
    const { id } = await db
      .insertInto('members')
      .values({ ...toRow(member), ...images })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(member.key, id)
  }
  return ids
}

function toRow(member: DemoMember) {
  const { profile_visibility: visibility, ...privacy } = member.privacy ?? {}
  return {
    ...privacy,
    is_private: visibility === 'private',
    discord_id: member.discordId,
    username: member.username,
    slug: makeSlug(member.username, { allowUnderscores: true }),
    display_name: member.displayName,
    email: `${member.key}@example.com`,
    email_verified: member.emailVerified,
    bio: member.bio,
    location: member.location,
    website: member.website,
    social_links: JSON.stringify(member.socialLinks),
    is_admin: member.isAdmin,
    is_moderator: member.isModerator,
    subscription_type: member.subscriptionType,
    title: member.title ?? null,
    custom_badge: member.customBadge ?? null,
    ...(member.badgeColor ? { badge_color: member.badgeColor } : {}),
    created_at: daysAgo(member.joinedDaysAgo),
    last_seen_at: minutesAgo(member.lastSeenMinutesAgo),
  }
}
