import Type, { type Static } from 'typebox'
import {
  MAX_BIO_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_IMAGE_BODY_BYTES,
  MAX_LOCATION_LENGTH,
  MAX_URL_LENGTH,
  SOCIAL_SITES,
} from './limits.ts'
import { nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

export const PrivacySettings = Type.Object(
  {
    profile_visibility: Type.Enum(['public', 'private']),
    show_email: Type.Boolean(),
    show_location: Type.Boolean(),
    show_website: Type.Boolean(),
    show_social_links: Type.Boolean(),
    show_script_stats: Type.Boolean(),
    show_recent_activity: Type.Boolean({ description: 'Whether others see when the member was last online' }),
  },
  strict,
)
export type PrivacySettings = Static<typeof PrivacySettings>

const socialLinks = Object.fromEntries(
  SOCIAL_SITES.map((site) => [site, Type.Optional(Type.String({ description: 'Profile name or URL on this site' }))]),
) as Record<(typeof SOCIAL_SITES)[number], ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>>
export const SocialLinks = Type.Object(socialLinks, strict)
export type SocialLinks = Static<typeof SocialLinks>

const linkInput = Type.Optional(
  Type.Union([Type.String({ description: 'A URL, or the name on this site' }), Type.Null()]),
)
/** Empty text and null are no link. */
export const SocialLinksInput = Type.Object(
  {
    ...(Object.fromEntries(SOCIAL_SITES.map((site) => [site, linkInput])) as Record<
      (typeof SOCIAL_SITES)[number],
      typeof linkInput
    >),
    twitter: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'The former name of `x`' })),
  },
  strict,
)
export type SocialLinksInput = Static<typeof SocialLinksInput>

const nullableCount = Type.Union([Type.Integer(), Type.Null()])

/** A member as the caller may see them. Hidden fields are null, or empty for lists of links. */
export const Profile = Type.Object({
  user_id: Type.Integer(),
  slug: Type.String(),
  username: Type.String(),
  display_name: nullableText,
  is_hidden: Type.Boolean({ description: 'Whether the profile is private: the caller sees only the name and avatar' }),
  bio: nullableText,
  location: nullableText,
  website: nullableText,
  email: nullableText,
  social_links: SocialLinks,
  profile_image: nullableText,
  avatar_url: Type.String({ description: 'URL of the avatar; empty if there is none' }),
  discord_id: nullableText,
  avatar: nullableText,
  discriminator: nullableText,
  banner_image: nullableText,
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  title: nullableText,
  custom_badge: nullableText,
  badge_color: Type.String(),
  created_at: time,
  last_seen_at: nullableTime,
  follower_count: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if the profile is private' }),
  script_stats: Type.Object(
    {
      scripts_uploaded: nullableCount,
      reputation: nullableCount,
      total_views: nullableCount,
      average_rating: Type.Union([Type.Number(), Type.Null()], {
        description: "Mean of all ratings of the member's scripts; 0 if there are none",
      }),
    },
    {
      description:
        'Totals over the scripts visible to the caller; private scripts count only for the member and admins. All null if the member hides them',
    },
  ),
  privacy_settings: PrivacySettings,
})
export type Profile = Static<typeof Profile>

/** The profile of the stable API, which has no stats instead of nulls. */
export const StableProfile = Type.Object({
  ...Profile.properties,
  created_at: nullableTime,
  script_stats: Type.Union([
    Type.Object({
      scripts_uploaded: Type.Integer(),
      reputation: Type.Integer(),
      total_views: Type.Integer(),
      average_rating: Type.Number(),
    }),
    Type.Null(),
  ]),
})
export type StableProfile = Static<typeof StableProfile>

// Lengths are described but not enforced by the schema: they apply to the trimmed text, and the server reports all
// invalid fields in one response, each with a sentence for people.
const text = (description: string) => Type.Optional(Type.Union([Type.String({ description }), Type.Null()]))
const image = Type.Optional(
  Type.Union([Type.String({ description: 'A data URL, a URL returned by /api/media, or empty' }), Type.Null()]),
)

/** Omitted fields stay as they are; empty text and null clear a field. `social_links` is replaced, but for invalid links. */
export const ProfileInput = Type.Object(
  {
    user_id: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 20 })])),
    display_name: text(`One line, at most ${MAX_DISPLAY_NAME_LENGTH} characters`),
    bio: text(`At most ${MAX_BIO_LENGTH} characters`),
    location: text(`One line, at most ${MAX_LOCATION_LENGTH} characters`),
    website: text(`http or https, at most ${MAX_URL_LENGTH} characters`),
    social_links: Type.Optional(SocialLinksInput),
    profile_image: image,
    banner_image: image,
    privacy_settings: Type.Optional(Type.Partial(PrivacySettings, strict)),
  },
  strict,
)
export type ProfileInput = Static<typeof ProfileInput>

export const memberOperations = {
  'GET /api/user-profiles': {
    access: 'optionalMember',
    cacheControl: 'public, no-cache',
    tolerant: true,
    summary: 'A member by id, slug or username, as the caller may see them',
    query: Type.Object({ user_id: Type.String({ maxLength: 100 }) }),
    response: { 200: Type.Object({ profile: Profile }) },
  },
  'PUT /api/user-profiles': {
    access: 'notMuted',
    tolerant: true,
    summary: "Update the caller's profile",
    body: ProfileInput,
    maxBodyBytes: 2 * MAX_IMAGE_BODY_BYTES,
    response: {
      200: Type.Object({
        profile: Profile,
        warnings: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description:
              'By field: why a social link was not saved. It keeps the stored value; everything else is saved',
          }),
        ),
      }),
    },
  },
  'GET /api/v1/members/{name}': {
    access: 'optionalMember',
    stable: { route: 'GET /api/v1/members/{name}', path: { name: 'user_id' } },
    cacheControl: 'public, no-cache',
    summary: 'A member by id, slug or username, as the caller may see them',
    query: Type.Object({ user_id: Type.String({ maxLength: 100 }) }),
    response: { 200: Type.Object({ profile: StableProfile }) },
  },
  'GET /api/account-data': {
    access: 'recentlySignedIn',
    limit: 'export',
    summary: 'Everything stored about the caller, as an attachment. Requires a sign-in in the last ten minutes',
    response: { 200: Type.Record(Type.String(), Type.Unknown()) },
  },
  'DELETE /api/account': {
    access: 'recentlySignedIn',
    summary: "Permanently delete the caller's account. Requires a sign-in in the last ten minutes",
    body: Type.Object({ username: Type.String({ maxLength: 100 }) }, strict),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
