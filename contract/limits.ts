/** Limits and names that the browser and the server share. It imports no schema library: the browser downloads this file. */
export { MAX_CHANGELOG_LENGTH, MAX_CODE_BYTES, MAX_SUBJECT_LENGTH } from '@scriptyard/text'

export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100
export const MAX_PAGE = 2_147_483_647

export const MAX_SEARCH_LENGTH = 200
export const MAX_SEARCH_TAGS = 10

/** Length of a description on a card; the script page shows the full text. */
export const CARD_DESCRIPTION_LENGTH = 260

/** Maximum size of an image file, and of a body with an image as a data URL (base64 adds a third). */
export const MAX_IMAGE_BYTES = 3_145_728
/** For other images, such as HEIC, TIFF and BMP. */
export const UNSUPPORTED_IMAGE = 'Use a PNG, JPEG, WebP, GIF or AVIF image.'
export const MAX_IMAGE_BODY_BYTES = 4_400_000

export const MAX_DISPLAY_NAME_LENGTH = 50
export const MAX_BIO_LENGTH = 1000
export const MAX_LOCATION_LENGTH = 100
export const MAX_URL_LENGTH = 2048
export const SOCIAL_SITES = ['youtube', 'github', 'x', 'instagram', 'twitch', 'roblox', 'discord', 'other'] as const

export const MAX_TITLE_LENGTH = 100
export const MAX_SUMMARY_LENGTH = 140
export const MAX_DESCRIPTION_LENGTH = 5000
export const MAX_VERSION_LENGTH = 20
export const DEFAULT_VERSION = '1.0.0'
export const MAX_TAGS = 10
export const MAX_TAG_LENGTH = 30
export const MAX_GAME_ID_LENGTH = 20
export const GAME_ID_PATTERN = `^[0-9]{1,${MAX_GAME_ID_LENGTH}}$`
export const MAX_GAME_NAME_LENGTH = 100
export const MAX_REQUIREMENTS_LENGTH = 500
export const MAX_SCREENSHOTS = 8
export const MAX_SCREENSHOT_ALT_LENGTH = 140
/** Stored versions per script, including the current one, and the total size of their code. The oldest are removed first. */
export const MAX_VERSIONS = 100
export const MAX_VERSIONS_BYTES = 20_971_520

/** Drafts of a member that the server stores, the newest. */
export const MAX_DRAFTS = 20
/** The code with the characters that JSON escapes, and the other fields. Larger drafts stay in the browser. */
export const MAX_DRAFT_BODY_BYTES = 1_572_864

export const MAX_REVIEW_LENGTH = 2000
export const MAX_WORKS_NOTE_LENGTH = 300
export const MAX_COMMENT_LENGTH = 10_000
/** The comments of a script are counted up to this number. */
export const MAX_COUNTED_COMMENTS = 100
/** The choices for slow mode: seconds between two comments of a member under a script. */
export const COMMENT_SLOW_SECONDS = [0, 30, 300, 3600] as const

/** Favorites per member. The list is sorted in memory, so it is bounded. */
export const MAX_FAVORITES = 2000
export const FAVORITE_SORTS = ['added', 'name', 'updated', 'rating'] as const
export type FavoriteSort = (typeof FAVORITE_SORTS)[number]

export const MAX_FOLLOWS = 500
export const MAX_WATCHES = 500
export const MAX_BLOCKS = 500

export const MAX_COLLECTIONS = 100
export const MAX_COLLECTION_ITEMS = 500
export const MAX_COLLECTION_NAME_LENGTH = 60
export const MAX_COLLECTION_DESCRIPTION_LENGTH = 500
export const MAX_COLLECTION_NOTE_LENGTH = 300

export const MAX_WINNERS = 50
export const MAX_ENTRIES_LIMIT = 10_000_000
export const MAX_PRIZE_LENGTH = 20_000
export const MAX_SHOWCASE_NOTES_LENGTH = 1000

export const MAX_REASON_LENGTH = 1000
export const MAX_NOTES_LENGTH = 5000
export const MAX_NOTIFICATION_LENGTH = 1000
export const MAX_BULK = 100
export const DEFAULT_BADGE_COLOR = '#6366f1'
export const DEFAULT_MUTE_HOURS = 24
/** For how long a decision about a report may mute. Longer mutes are up to admins. */
export const DECISION_MUTE_HOURS = [1, 6, 24, 168] as const
export const DEFAULT_WARNING_DAYS = 30
/** The expiry of a permanent ban or mute: a time in the future for everyone who compares it with the clock. */
export const PERMANENT_EXPIRY = '9999-12-31T23:59:59.999Z'
export const MAX_BADGE_TITLE_LENGTH = 50
export const MAX_BADGE_LENGTH = 30
/** The portal counts list rows up to this number, which is also the longest list of users without pages. */
export const MAX_COUNTED = 10_000
/** The numbers beside the portal's tabs are counted up to this number. */
export const MAX_OPEN_WORK = 100
export const SEVERITIES = ['minor', 'moderate', 'severe'] as const
export const REPORT_REASONS = [
  'spam',
  'stolen',
  'malicious',
  'illegal',
  'nsfw',
  'harassment',
  'misleading',
  'other',
] as const

export const NOTIFICATION_KINDS = [
  'reviews',
  'replies',
  'comments',
  'mentions',
  'reputation',
  'giveaways',
  'script_status',
  'new_scripts',
  'new_versions',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export const DIGESTS = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]
export const MAX_EMAIL_LENGTH = 254

/** Permissions of API tokens. A token has one or more of these scopes and can do nothing else. */
export const TOKEN_SCOPES = [
  'scripts:read-private',
  'scripts:write',
  'versions:write',
  'ratings:read',
  'ratings:write',
  'comments:write',
  'favorites:read',
  'favorites:write',
  'notifications:read',
  'notifications:write',
] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]
export const INCLUDED_SCOPES: Partial<Record<TokenScope, readonly TokenScope[]>> = {
  'scripts:write': ['versions:write'],
}
/** Scopes that only read. A token with any other one writes. */
const READING_SCOPES: ReadonlySet<TokenScope> = new Set<TokenScope>([
  'scripts:read-private',
  'ratings:read',
  'favorites:read',
  'notifications:read',
])
export const canWrite = (scopes: readonly TokenScope[]): boolean => scopes.some((scope) => !READING_SCOPES.has(scope))
/** Scopes that a token may have for chosen scripts only. */
export const canChangeScripts = (scopes: readonly TokenScope[]): boolean =>
  scopes.some((scope) => scope === 'scripts:write' || scope === 'versions:write')
/** Lifetimes of an API token to choose from, in days: those of `NewToken`. */
export const TOKEN_LIFETIMES = [30, 90, 365] as const
export const DEFAULT_TOKEN_LIFETIME = 30
/** For tokens that write. */
export const MAX_WRITING_LIFETIME = 90
export const MAX_TOKENS = 20
export const MAX_TOKEN_SCRIPTS = 100
export const MAX_TOKEN_NAME_LENGTH = 60

export const FORGE_KINDS = ['github', 'gitlab'] as const
export const MAX_PUBLISHERS = 10
export const MAX_REPOSITORY_LENGTH = 255
export const MAX_WORKFLOW_LENGTH = 255
export const MAX_BRANCH_LENGTH = 255
export const MAX_ENVIRONMENT_LENGTH = 255
export const MAX_PATTERN_LENGTH = 200
/** Scripts that one repository updates. */
export const MAX_SOURCES = 50

/** Events that a webhook can receive. Giveaways belong to no author, so only webhooks of the site receive theirs. */
export const WEBHOOK_EVENTS = [
  'version.published',
  'version.held',
  'version.released',
  'version.withdrawn',
  'review.posted',
  'comment.posted',
  'behavior.changed',
  'giveaway.ended',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
export const WEBHOOK_FORMATS = ['json', 'discord'] as const
/** A URL that takes messages in the form of Discord. */
export const DISCORD_WEBHOOK_URL =
  /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/
export const MAX_WEBHOOKS = 5
export const MAX_SITE_WEBHOOKS = 20
export const MAX_WEBHOOK_SCRIPTS = 50

export const BADGE_METRICS = ['downloads', 'rating', 'works', 'version'] as const
export type BadgeMetric = (typeof BADGE_METRICS)[number]
/** Size of the card for other sites in CSS pixels. Up to `narrowWidth`, its cover is above the text. */
export const EMBED_SIZE = { width: 560, height: 220, narrowWidth: 420, narrowHeight: 340 } as const

export const MAX_SITE_NAME_LENGTH = 60
export const MAX_BACKUP_PATH_LENGTH = 1024
export const MAX_TAGLINE_LENGTH = 160
export const MAX_SITE_TEXT_LENGTH = 20_000
/** Links that admins can add to the footer, and how many of them the header can show as well. */
export const MAX_SITE_LINKS = 8
export const MAX_HEADER_LINKS = 2
export const MAX_LINK_LABEL_LENGTH = 24
/** Maximum size of a logo file, and of a body with one as a data URL and all texts. */
export const MAX_LOGO_BYTES = 524_288
export const MAX_LOGO_BODY_BYTES = 1_400_000
