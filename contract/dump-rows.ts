// The rows of data dumps.
import Type, { type TSchema } from 'typebox'
import { BehaviorFinding } from './behavior.ts'
import { MAX_HOST_LENGTH } from './behavior-names.ts'
import { EntryRequirement, PrizeType } from './giveaways.ts'
import {
  MAX_BIO_LENGTH,
  MAX_CODE_BYTES,
  MAX_COLLECTION_DESCRIPTION_LENGTH,
  MAX_COLLECTION_ITEMS,
  MAX_COLLECTION_NAME_LENGTH,
  MAX_COLLECTION_NOTE_LENGTH,
  MAX_COMMENT_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_REQUIREMENTS_LENGTH,
  MAX_REVIEW_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
  MAX_VERSION_LENGTH,
  MAX_WINNERS,
  SOCIAL_SITES,
} from './limits.ts'
import { id, strict } from './operation.ts'
import { SCRIPT_TYPES } from './script-kinds.ts'
import { WITHDRAWERS } from './version-states.ts'
import { MAX_REASON_LENGTH, Provenance } from './versions.ts'

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })
const SHA256 = '^[0-9a-f]{64}$'
const sha256 = Type.String({ pattern: SHA256 })
export const hashOf = (description: string) => Type.String({ pattern: SHA256, description })
const color = Type.String({ pattern: '^#[0-9a-f]{6}$' })
/** Empty or a web address: pages link to it. */
const link = Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: MAX_URL_LENGTH })
/** In UTC with microseconds, so that an import has the same order. */
export const instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$' })

/** Longer than all names that members or Discord can set. */
const MAX_NAME_LENGTH = 100

export const DumpTag = Type.Object(
  {
    id,
    name: text(MAX_TAG_LENGTH, 1),
    color,
    script_count: Type.Integer({ minimum: 1, description: 'Number of scripts in the dump with this tag' }),
  },
  strict,
)

export const DumpImage = Type.Object(
  {
    hash: hashOf('The file is at /media/{hash}.webp'),
    width: Type.Integer({ minimum: 1, maximum: 100_000 }),
    height: Type.Integer({ minimum: 1, maximum: 100_000 }),
  },
  strict,
)

export const DumpMember = Type.Object(
  {
    id,
    slug: text(MAX_NAME_LENGTH, 1),
    username: text(MAX_NAME_LENGTH, 1),
    display_name: nullable(text(MAX_NAME_LENGTH)),
    is_hidden: Type.Boolean({ description: 'Whether the profile is private: only the names and the image are public' }),
    profile_image: nullable(sha256),
    banner_image: nullable(sha256),
    bio: nullable(text(MAX_BIO_LENGTH)),
    location: nullable(text(MAX_NAME_LENGTH)),
    website: nullable(link),
    social_links: Type.Object(
      Object.fromEntries(SOCIAL_SITES.filter((site) => site !== 'discord').map((site) => [site, Type.Optional(link)])),
      { ...strict, description: 'Without Discord' },
    ),
    title: nullable(text(MAX_NAME_LENGTH)),
    custom_badge: nullable(text(MAX_NAME_LENGTH)),
    badge_color: nullable(color),
    reputation: nullable(Type.Integer({ description: 'Null if the member hides it' })),
    follower_count: nullable(count),
    show_location: Type.Boolean(),
    show_website: Type.Boolean(),
    show_social_links: Type.Boolean(),
    show_script_stats: Type.Boolean(),
    show_recent_activity: Type.Boolean(),
    created_at: nullable(instant),
  },
  strict,
)

export const DumpScript = Type.Object(
  {
    id,
    author_id: id,
    title: text(MAX_TITLE_LENGTH, 1),
    summary: nullable(text(MAX_SUMMARY_LENGTH, 1)),
    description: text(MAX_DESCRIPTION_LENGTH, 1),
    version: text(MAX_VERSION_LENGTH, 1),
    current_version: Type.Integer({ minimum: 1, description: 'Number of the version whose code is shown' }),
    image: nullable(sha256),
    tags: Type.Array(text(MAX_TAG_LENGTH, 1), { maxItems: MAX_TAGS }),
    license: nullable(Type.String({ pattern: '^[A-Za-z0-9.+-]{1,40}$', description: 'SPDX identifier' })),
    script_type: nullable(Type.Enum([...SCRIPT_TYPES])),
    placement: nullable(Type.String({ pattern: '^[A-Za-z]{1,40}$' })),
    requirements: nullable(text(MAX_REQUIREMENTS_LENGTH, 1)),
    file_size: Type.Integer({ minimum: 1, maximum: MAX_CODE_BYTES, description: 'Bytes of the current code' }),
    has_key_system: Type.Boolean(),
    key_system_url: nullable(link),
    is_universal: Type.Boolean(),
    game_id: nullable(Type.String({ pattern: '^[0-9]{1,20}$' })),
    game_name: Type.Optional(nullable(text(MAX_NAME_LENGTH, 1))),
    is_client_side: Type.Boolean(),
    is_free: Type.Boolean(),
    is_featured: Type.Boolean(),
    is_verified: Type.Boolean(),
    is_mobile_compatible: Type.Boolean(),
    is_working: Type.Boolean(),
    screenshots: Type.Array(Type.Object({ image: sha256, alt: text(140, 1) }, strict), {
      maxItems: 8,
      description: "In the author's order",
    }),
    showcase_date: nullable(instant),
    showcase_video_url: nullable(link),
    showcase_notes: nullable(text(MAX_DESCRIPTION_LENGTH)),
    comment_slow_seconds: Type.Integer({ minimum: 0, maximum: 3600 }),
    successor_id: Type.Optional(nullable(id, 'The script in this dump that replaces it')),
    view_count: count,
    download_count: count,
    favorite_count: count,
    stars: Type.Array(count, { minItems: 5, maxItems: 5, description: 'Number of ratings with one to five stars' }),
    trend: Type.Number({ minimum: 0, description: 'Sorts scripts by how much happens to them now' }),
    created_at: instant,
    updated_at: instant,
  },
  strict,
)

export const DumpVersion = Type.Object(
  {
    script_id: id,
    number: id,
    version: text(MAX_VERSION_LENGTH, 1),
    changelog: nullable(text(MAX_DESCRIPTION_LENGTH)),
    size: Type.Integer({ minimum: 1, maximum: MAX_CODE_BYTES, description: 'Bytes of the code in UTF-8' }),
    sha256,
    declared_capabilities: nullable(Type.Array(text(40), { maxItems: 100 })),
    declared_hosts: nullable(Type.Array(text(MAX_HOST_LENGTH), { maxItems: 100 })),
    created_at: instant,
    published_at: Type.Optional(
      Type.String({
        ...instant,
        description: 'When visitors got it. The version of a script published last is current',
      }),
    ),
    state: Type.Optional(Type.Enum(['current', 'former'])),
    provenance: Type.Optional(Type.Object(Provenance.properties, strict)),
    content: Type.String({ description: 'The code' }),
  },
  strict,
)

const { declared: _comparison, ...finding } = BehaviorFinding.properties

export const DumpBehavior = Type.Object(
  {
    sha256: hashOf('SHA-256 of the code'),
    analyzer_version: id,
    analyzed_at: nullable(instant),
    compiles: nullable(Type.Boolean()),
    compile_error: nullable(
      Type.Object({ line: Type.Integer(), column: nullable(Type.Integer()), message: text(1000) }, strict),
    ),
    capabilities: Type.Array(Type.Object(finding, strict), { maxItems: 200 }),
    hosts: Type.Array(
      Type.Object(
        {
          host: text(MAX_HOST_LENGTH, 1),
          line: Type.Integer(),
          contacted: Type.Optional(Type.Boolean({ description: 'False if the code only names the host' })),
        },
        strict,
      ),
      { maxItems: 200 },
    ),
    obfuscator: nullable(text(1000)),
    opaque: Type.Array(Type.Object({ reason: text(1000), count: Type.Integer() }, strict), { maxItems: 200 }),
  },
  strict,
)

export const DumpReview = Type.Object(
  {
    id,
    script_id: id,
    member_id: nullable(id, 'Null if the account was deleted'),
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    review: nullable(text(MAX_REVIEW_LENGTH)),
    reply: nullable(text(MAX_REVIEW_LENGTH)),
    replied_at: nullable(instant),
    helpful_count: count,
    created_at: instant,
    edited_at: nullable(instant),
  },
  strict,
)

export const DumpComment = Type.Object(
  {
    id,
    script_id: id,
    parent_id: nullable(id),
    author_id: nullable(id, 'Null if the account or the comment was deleted'),
    text: nullable(text(MAX_COMMENT_LENGTH, 1), 'Null for a deleted comment that has replies'),
    mentions: Type.Array(id, { maxItems: 1000, description: 'Ids of the members that the text mentions as @name' }),
    helpful_count: count,
    created_at: instant,
    edited_at: nullable(instant),
    deleted_at: nullable(instant),
  },
  strict,
)

export const DumpCollection = Type.Object(
  {
    id,
    owner_id: id,
    name: text(MAX_COLLECTION_NAME_LENGTH, 1),
    description: nullable(text(MAX_COLLECTION_DESCRIPTION_LENGTH, 1)),
    created_at: instant,
    updated_at: instant,
    items: Type.Array(
      Type.Object({ script_id: id, note: nullable(text(MAX_COLLECTION_NOTE_LENGTH, 1)), added_at: instant }, strict),
      { maxItems: MAX_COLLECTION_ITEMS, description: 'In the order of the owner' },
    ),
  },
  strict,
)

export const DumpGiveaway = Type.Object(
  {
    id,
    title: text(MAX_TITLE_LENGTH, 1),
    description: text(MAX_DESCRIPTION_LENGTH),
    prize_type: PrizeType,
    prize_description: text(500),
    entry_requirement: EntryRequirement,
    end_date: instant,
    max_entries: nullable(id),
    entry_count: count,
    winner_count: Type.Integer({ minimum: 1, maximum: MAX_WINNERS }),
    is_active: Type.Boolean(),
    seed_sha256: sha256,
    seed: nullable(sha256, 'Null until the draw'),
    drawn_at: nullable(instant),
    created_at: instant,
  },
  strict,
)

export const DumpEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    giveaway_id: id,
    place: nullable(Type.Integer({ minimum: 1, maximum: MAX_WINNERS }), '1 for the first winner; null for the others'),
    member_id: nullable(id, 'Only of winners whose name is public'),
  },
  strict,
)

export const DumpWithdrawal = Type.Object(
  {
    id,
    script_id: Type.Integer({ ...id, description: 'Of the script that had the code. It may be gone' }),
    sha256: hashOf('SHA-256 of the code, which is not in the dump'),
    slug: text(MAX_URL_LENGTH, 1),
    version: text(MAX_VERSION_LENGTH, 1),
    withdrawn_at: instant,
    by: Type.Enum([...WITHDRAWERS]),
    reason: text(MAX_REASON_LENGTH, 1),
    is_malicious: Type.Boolean(),
    reinstated_at: nullable(instant, 'When moderators took it back'),
    is_sitewide: Type.Optional(
      Type.Boolean({ description: 'Whether no script may have the code again, also renamed and reformatted' }),
    ),
    token_sha256: Type.Optional(nullable(hashOf('Of the tokens of the code'), 'Short code has none')),
  },
  strict,
)
