import { DEFAULT_BADGE_COLOR } from '#contract/limits.ts'
import type { PrivacySettings, Profile } from '#contract/members.ts'
import { mediaPath } from '#server/features/media/service.ts'
import type { Caller } from '#server/http/guards.ts'
import { avatarUrl } from './avatar.ts'
import type { MemberRow } from './find-member.ts'
import type { ScriptTotals } from './script-totals.ts'

/** Who looks; undefined for a visitor. */
export type Viewer = Pick<Caller, 'id' | 'isAdmin'> | undefined

/** Members see all of themselves, admins all of everybody. */
export const canSeeAll = (member: Pick<MemberRow, 'id'>, viewer: Viewer): boolean =>
  viewer !== undefined && (viewer.id === member.id || viewer.isAdmin)

/** Whether the figures of a member's scripts, and their reputation, are for this viewer. */
export const canSeeStats = (
  member: Pick<MemberRow, 'id' | 'is_private' | 'show_script_stats'>,
  viewer: Viewer,
): boolean => canSeeAll(member, viewer) || (!member.is_private && member.show_script_stats)

const image = (hash: string | null) => (hash ? mediaPath(hash, 'full') : null)

function privacyOf(member: MemberRow): PrivacySettings {
  return {
    profile_visibility: member.is_private ? 'private' : 'public',
    show_email: member.show_email,
    show_location: member.show_location,
    show_website: member.show_website,
    show_social_links: member.show_social_links,
    show_script_stats: member.show_script_stats,
    show_recent_activity: member.show_recent_activity,
  }
}

const NOTHING_SHOWN: PrivacySettings = {
  profile_visibility: 'private',
  show_email: false,
  show_location: false,
  show_website: false,
  show_social_links: false,
  show_script_stats: false,
  show_recent_activity: false,
}

/** Name and picture: what everybody sees of a private profile. */
function toHiddenProfile(member: MemberRow, discordCdnUrl: string): Profile {
  return {
    user_id: member.id,
    slug: member.slug,
    username: member.username,
    display_name: member.display_name,
    is_hidden: true,
    bio: null,
    location: null,
    website: null,
    email: null,
    social_links: {},
    profile_image: image(member.profile_image),
    avatar_url: avatarUrl(member, discordCdnUrl),
    discord_id: null,
    avatar: null,
    discriminator: null,
    banner_image: null,
    is_admin: false,
    is_moderator: false,
    title: null,
    custom_badge: null,
    badge_color: DEFAULT_BADGE_COLOR,
    created_at: null,
    last_seen_at: null,
    script_stats: null,
    privacy_settings: NOTHING_SHOWN,
  }
}

/** The one function that makes a profile for a viewer. `totals` are read only where `canSeeStats`. */
export function toProfile(
  member: MemberRow,
  totals: ScriptTotals | null,
  viewer: Viewer,
  discordCdnUrl: string,
): Profile {
  const isOpen = canSeeAll(member, viewer)
  if (member.is_private && !isOpen) return toHiddenProfile(member, discordCdnUrl)
  return {
    user_id: member.id,
    slug: member.slug,
    username: member.username,
    display_name: member.display_name,
    is_hidden: false,
    bio: member.bio,
    location: isOpen || member.show_location ? member.location : null,
    website: isOpen || member.show_website ? member.website : null,
    email: isOpen || member.show_email ? member.email : null,
    social_links: isOpen || member.show_social_links ? member.social_links : {},
    profile_image: image(member.profile_image),
    avatar_url: avatarUrl(member, discordCdnUrl),
    discord_id: member.discord_id,
    avatar: member.avatar,
    discriminator: member.discriminator,
    banner_image: image(member.banner_image),
    is_admin: member.is_admin,
    is_moderator: member.is_moderator,
    title: member.title,
    custom_badge: member.custom_badge,
    badge_color: member.badge_color,
    created_at: member.created_at.toISOString(),
    last_seen_at:
      (isOpen || member.show_recent_activity) && member.last_seen_at ? member.last_seen_at.toISOString() : null,
    script_stats: totals && canSeeStats(member, viewer) ? { ...totals, reputation: member.reputation } : null,
    privacy_settings: privacyOf(member),
  }
}
