import Type, { type Static } from 'typebox'
import {
  MAX_BIO_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_IMAGE_BODY_BYTES,
  MAX_LOCATION_LENGTH,
  MAX_URL_LENGTH,
  SOCIAL_SITES,
} from './limits.ts'
import type { Operation } from './operation.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const strict = { additionalProperties: false }

export const PrivacySettings = Type.Object(
  {
    profile_visibility: Type.Enum(['public', 'private']),
    show_email: Type.Boolean(),
    show_location: Type.Boolean(),
    show_website: Type.Boolean(),
    show_social_links: Type.Boolean(),
    show_script_stats: Type.Boolean(),
    show_recent_activity: Type.Boolean({ description: 'Whether others see when the member was last here' }),
  },
  strict,
)
export type PrivacySettings = Static<typeof PrivacySettings>

const socialLinks = Object.fromEntries(
  SOCIAL_SITES.map((site) => [site, Type.Optional(Type.String({ description: 'An address on that site' }))]),
) as Record<(typeof SOCIAL_SITES)[number], ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>>
export const SocialLinks = Type.Object(socialLinks, strict)
export type SocialLinks = Static<typeof SocialLinks>

/** A member as one viewer may see them: what they may not see is null, or empty where it is a list of links. */
export const Profile = Type.Object({
  user_id: Type.Integer(),
  slug: Type.String(),
  username: Type.String(),
  display_name: nullable,
  is_hidden: Type.Boolean({ description: 'The profile is private and the viewer sees name and picture alone' }),
  bio: nullable,
  location: nullable,
  website: nullable,
  email: nullable,
  social_links: SocialLinks,
  profile_image: nullable,
  avatar_url: Type.String({ description: 'Address of the picture to show, empty when there is none' }),
  discord_id: nullable,
  avatar: nullable,
  discriminator: nullable,
  banner_image: nullable,
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  title: nullable,
  custom_badge: nullable,
  badge_color: Type.String(),
  created_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  last_seen_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  script_stats: Type.Union([
    Type.Object(
      {
        scripts_uploaded: Type.Integer(),
        reputation: Type.Integer(),
        total_views: Type.Integer(),
        average_rating: Type.Number({ description: "Mean of all ratings of the member's scripts, 0 without any" }),
      },
      { description: 'Over the scripts that the viewer may see: private ones count for the member and admins alone' },
    ),
    Type.Null(),
  ]),
  privacy_settings: PrivacySettings,
})
export type Profile = Static<typeof Profile>

// Lengths are in the descriptions and not in the schema: they hold for the trimmed text, and the server names every field
// that is wrong in one answer, each with a sentence for whoever fills in the form.
const text = (description: string) => Type.Optional(Type.Union([Type.String({ description }), Type.Null()]))
const image = Type.Optional(
  Type.Union([Type.String({ description: 'A data URL, an address that /api/media answered, or empty' }), Type.Null()]),
)

/**
 * What a member may change of themself. What is left out stays; empty text and null take it away. `social_links` are one
 * field: those that are given replace those that were.
 */
export const ProfileInput = Type.Object(
  {
    user_id: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 20 })])),
    display_name: text(`One line, at most ${MAX_DISPLAY_NAME_LENGTH} characters`),
    bio: text(`At most ${MAX_BIO_LENGTH} characters`),
    location: text(`One line, at most ${MAX_LOCATION_LENGTH} characters`),
    website: text(`http or https, at most ${MAX_URL_LENGTH} characters`),
    social_links: Type.Optional(SocialLinks),
    profile_image: image,
    banner_image: image,
    privacy_settings: Type.Optional(Type.Partial(PrivacySettings, strict)),
  },
  strict,
)
export type ProfileInput = Static<typeof ProfileInput>

export const memberOperations = {
  'GET /api/user-profiles': {
    summary: 'A member by id, slug or username, as the caller may see them',
    query: Type.Object({ user_id: Type.String({ maxLength: 100 }) }),
    response: { 200: Type.Object({ profile: Profile }) },
  },
  'PUT /api/user-profiles': {
    summary: "Change one's own profile",
    body: ProfileInput,
    maxBodyBytes: 2 * MAX_IMAGE_BODY_BYTES,
    response: { 200: Type.Object({ profile: Profile }) },
  },
  'GET /api/account-data': {
    summary: 'Everything that is kept about the caller, as an attachment',
    response: { 200: Type.Record(Type.String(), Type.Unknown()) },
  },
  'DELETE /api/account': {
    summary: "Delete one's own account for good",
    body: Type.Object({ username: Type.String({ maxLength: 100 }) }, strict),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
} as const satisfies Record<string, Operation>
