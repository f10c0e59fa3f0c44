import { sql } from 'kysely'
import { DEFAULT_BADGE_COLOR } from '#contract/limits.ts'
import type { PrivacySettings, Profile, StableProfile } from '#contract/members.ts'
import { shownStats } from '#contract/profile-stats.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { mediaPath } from '#server/platform/media/store.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { notFound } from '#server/platform/http/errors.ts'
import { MAX_STALE_MS, ResponseCache } from '#server/platform/http/response-cache.ts'
import { avatarUrl } from './avatar.ts'
import { findMember, type MemberRow } from './find-member.ts'

/** Undefined for a visitor. */
export type Viewer = Pick<Caller, 'id' | 'isAdmin'> | undefined

/** Whether the viewer may see the whole profile, because it is their own or they are an admin. */
export const canSeeAll = (member: Pick<MemberRow, 'id'>, viewer: Viewer): boolean =>
  viewer !== undefined && (viewer.id === member.id || viewer.isAdmin)

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

const HIDDEN_SETTINGS: PrivacySettings = {
  profile_visibility: 'private',
  show_email: false,
  show_location: false,
  show_website: false,
  show_social_links: false,
  show_script_stats: false,
  show_recent_activity: false,
}

const NO_STATS: Profile['script_stats'] = {
  scripts_uploaded: null,
  reputation: null,
  total_views: null,
  average_rating: null,
}

export const toStableProfile = (profile: Profile): StableProfile => ({
  ...profile,
  script_stats: shownStats(profile) ?? null,
})

/** The public part of a private profile: names, the time of joining and the uploaded image. The URL of Discord's avatar contains the Discord id. */
function toHiddenProfile(member: MemberRow): Profile {
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
    avatar_url: avatarUrl({ ...member, discord_id: null }),
    discord_id: null,
    avatar: null,
    discriminator: null,
    banner_image: null,
    is_admin: false,
    is_moderator: false,
    title: null,
    custom_badge: null,
    badge_color: DEFAULT_BADGE_COLOR,
    created_at: member.created_at.toISOString(),
    last_seen_at: null,
    follower_count: null,
    script_stats: NO_STATS,
    privacy_settings: HIDDEN_SETTINGS,
  }
}

/** `totals` is null unless `canSeeStats`. */
function toProfile(member: MemberRow, totals: ScriptTotals | null, viewer: Viewer): Profile {
  const seesAll = canSeeAll(member, viewer)
  if (member.is_private && !seesAll) return toHiddenProfile(member)
  return {
    user_id: member.id,
    slug: member.slug,
    username: member.username,
    display_name: member.display_name,
    is_hidden: false,
    bio: member.bio,
    location: seesAll || member.show_location ? member.location : null,
    website: seesAll || member.show_website ? member.website : null,
    email: seesAll || member.show_email ? member.email : null,
    social_links: seesAll || member.show_social_links ? member.social_links : {},
    profile_image: image(member.profile_image),
    avatar_url: avatarUrl(member),
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
      (seesAll || member.show_recent_activity) && member.last_seen_at ? member.last_seen_at.toISOString() : null,
    follower_count: member.follower_count,
    script_stats: totals && canSeeStats(member, viewer) ? { ...totals, reputation: member.reputation } : NO_STATS,
    privacy_settings: privacyOf(member),
  }
}

export interface ScriptTotals {
  scripts_uploaded: number
  total_views: number
  average_rating: number
}

/** Totals over a member's scripts. The average rating is the mean of all their ratings. */
async function findScriptTotals(
  db: Database,
  memberId: number,
  { withPrivate }: { withPrivate: boolean },
): Promise<ScriptTotals> {
  const { rows } = await sql<ScriptTotals>`select count(*) as scripts_uploaded,
      coalesce(sum(st.view_count), 0) as total_views,
      coalesce(sum(st.one_star + 2 * st.two_star + 3 * st.three_star + 4 * st.four_star + 5 * st.five_star)::float8
        / nullif(sum(st.rating_count), 0), 0) as average_rating
    from scripts s join script_stats st on st.script_id = s.id
    where s.author_id = ${memberId} and (s.is_public and not s.is_unlisted or ${withPrivate}::boolean)`.execute(db)
  return rows[0] ?? { scripts_uploaded: 0, total_views: 0, average_rating: 0 }
}

export interface ProfileOptions {
  db: Database
}

/** `name` is an id, slug or username. Only admins find a banned member. Throws AppError `not_found`. */
export async function getProfile(options: ProfileOptions, name: string, viewer: Viewer): Promise<Profile> {
  const member = await findMember(options.db, name)
  if (!member || (member.is_banned && !canSeeAll(member, viewer))) throw notFound('This member')
  return makeProfile(options, member, viewer)
}

async function makeProfile({ db }: ProfileOptions, member: MemberRow, viewer: Viewer): Promise<Profile> {
  const withPrivate = canSeeAll(member, viewer)
  const totals = canSeeStats(member, viewer) ? await findScriptTotals(db, member.id, { withPrivate }) : null
  return toProfile(member, totals, viewer)
}

const JSON_TYPE = 'application/json; charset=utf-8'
const CACHE_BYTES = 16 * 1024 * 1024
/** Limits the age of the last-seen time, which is not in the change feed. */
const MAX_AGE_MS = 30_000

export interface PublicProfilesOptions extends ProfileOptions {
  /** A database that may lag behind by a second. */
  reads: Database
  /** Increases when visitors may see a change. */
  version: () => number
}

/** Cache of profiles as visitors see them, as serialized responses. */
export class PublicProfiles {
  readonly #options: PublicProfilesOptions
  readonly #cache = new ResponseCache(CACHE_BYTES, MAX_STALE_MS, MAX_AGE_MS)

  constructor(options: PublicProfilesOptions) {
    this.#options = { ...options, db: options.reads }
  }

  /** `isStable` selects the profile of the stable API. Throws AppError `not_found`. */
  get(name: string, { isStable = false } = {}): Promise<CachedResponse> {
    return this.#cache.getOrCreate(`${isStable ? 'v1' : ''} ${name}`, this.#options.version(), async () => {
      const profile = await getProfile(this.#options, name, undefined)
      return new CachedResponse(JSON.stringify({ profile: isStable ? toStableProfile(profile) : profile }), JSON_TYPE)
    })
  }
}
