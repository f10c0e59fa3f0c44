import Type, { type Static } from 'typebox'
import { CAPABILITY_IDS, type CapabilityId } from './behavior-names.ts'
import { WARNING_IDS } from './behavior-warning.ts'
import { MAX_HOST_FILTERS } from './behavior-search.ts'
import { FLAGS, type Flag, ORDERS, SORTS } from './catalogue-names.ts'
import {
  GAME_ID_PATTERN,
  MAX_GAME_NAME_LENGTH,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  MAX_SEARCH_LENGTH,
  MAX_SUMMARY_LENGTH,
  PAGE_SIZE,
} from './limits.ts'
import { digits, id, nextCursor, nullableText, strict, time, type Operation } from './operation.ts'

const flag = Type.Optional(Type.Enum(['true', 'false'], { description: 'On only if `true`' }))
const flags = Object.fromEntries(FLAGS.map((name) => [name, flag])) as Record<Flag, typeof flag>

/** Characters of a comma-separated filter by behavior. */
const MAX_LIST_LENGTH = 1000

const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'Words that must all match, each as a whole word or a prefix. `uses:net.webhook`, `lacks:code.remote` and `host:pastebin.com` filter like the parameters of these names',
    }),
  ),
  tags: Type.Optional(Type.String({ maxLength: 400, description: 'Comma-separated tags that must all match' })),
  author: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: "The author's id" })),
  game: Type.Optional(digits({ pattern: GAME_ID_PATTERN, description: "The game's id: only scripts made for it" })),
  min_rating: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
  min_views: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PAGE })),
  uses: Type.Optional(
    Type.String({
      maxLength: MAX_LIST_LENGTH,
      description:
        'Comma-separated capabilities that the code must all have. Only scripts whose behavior is known match',
    }),
  ),
  lacks: Type.Optional(
    Type.String({
      maxLength: MAX_LIST_LENGTH,
      description:
        'Comma-separated capabilities that the code must not have. Only scripts whose behavior is known match',
    }),
  ),
  host: Type.Optional(
    Type.String({
      maxLength: MAX_LIST_LENGTH,
      description: `Host that the code contacts, itself or a subdomain of it; with commas, up to ${MAX_HOST_FILTERS} hosts that it must all contact`,
    }),
  ),
  ...flags,
}

export const CatalogueFilters = Type.Object(filters)
export const ListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }),
  sort: Type.Enum([...SORTS], {
    default: 'created_at',
    description:
      '`relevance` ranks by where the words match (title, tags, author, description); without words, by downloads',
  }),
  order: Type.Enum([...ORDERS], { default: 'desc' }),
  ...filters,
})
export type ListQuery = Static<typeof ListQuery>

export const CursorListQuery = Type.Object({
  ...ListQuery.properties,
  cursor: Type.Optional(
    Type.String({
      description:
        'The `next_cursor` of the page before, with the same filters, sort and order. It replaces `page`, and neither repeats nor skips scripts when others are added or removed between the requests',
    }),
  ),
})
export type CursorListQuery = Static<typeof CursorListQuery>
export type CatalogueFilters = Static<typeof CatalogueFilters>

export const Tag = Type.Object({ id: Type.Integer(), name: Type.String(), color: Type.String() })
export type Tag = Static<typeof Tag>

/** A script in a list, without its code. `description` is truncated to `CARD_DESCRIPTION_LENGTH`. */
export const Card = Type.Object({
  id: Type.Integer(),
  slug: Type.String({ description: 'Last part of the page URL: /scripts/{slug}' }),
  title: Type.String(),
  summary: Type.String({
    description: `What it does, at most ${MAX_SUMMARY_LENGTH} characters: the author's text, or else the first sentence of the description`,
  }),
  description: Type.String(),
  version: Type.String(),
  image: Type.String({ description: 'Path of the full-size cover; empty if there is none' }),
  image_card: Type.String({ description: 'Path of the card-size cover; empty if there is none' }),
  tags: Type.Array(Tag),
  has_key_system: Type.Boolean(),
  key_system_url: nullableText,
  is_universal: Type.Boolean(),
  game_id: nullableText,
  game_name: Type.Union([Type.String(), Type.Null()], { description: 'Null if nobody entered the name of the game' }),
  is_client_side: Type.Boolean(),
  is_free: Type.Boolean(),
  is_featured: Type.Boolean(),
  is_verified: Type.Boolean(),
  is_public: Type.Boolean({ description: 'Whether everyone with its address can see it' }),
  is_unlisted: Type.Boolean({ description: 'Whether lists leave it out while it is public' }),
  is_showcased: Type.Boolean(),
  is_mobile_compatible: Type.Boolean(),
  is_working: Type.Boolean(),
  author_id: Type.Integer(),
  author_name: Type.String(),
  author_slug: Type.String({ description: 'Last part of the profile URL: /profile/{slug}' }),
  author_avatar: Type.String({ description: 'URL of the avatar' }),
  username: Type.String(),
  profile_image: nullableText,
  discord_id: Type.Union([Type.String(), Type.Null()], { description: 'Null if the profile is private' }),
  avatar: nullableText,
  discriminator: nullableText,
  rating_average: Type.Number(),
  rating_count: Type.Integer(),
  view_count: Type.Integer(),
  download_count: Type.Integer(),
  favorite_count: Type.Integer({ description: 'Members who have it as a favorite' }),
  warning: Type.Union([Type.Object({ id: Type.Enum([...WARNING_IDS]), is_declared: Type.Boolean() }), Type.Null()], {
    description:
      'What the code check of the current version warns of: a finding, or code that does not compile. What the author did not declare comes first',
  }),
  file_size: Type.Integer({ description: 'Size of the code in bytes' }),
  created_at: time,
  updated_at: time,
  showcase_date: nullableText,
  showcase_video_url: nullableText,
  showcase_notes: nullableText,
})
export type Card = Static<typeof Card>

export const Pagination = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer({ description: 'Exact' }),
  pages: Type.Integer(),
})
export type Pagination = Static<typeof Pagination>

export const ScriptList = Type.Object({
  scripts: Type.Array(Card),
  pagination: Pagination,
  suggestion: Type.Optional(
    Type.String({ description: 'If nothing matched: the search with its misspelled words corrected' }),
  ),
})
export type ScriptList = Static<typeof ScriptList>

export const CursorScriptList = Type.Object({
  ...ScriptList.properties,
  pagination: Type.Object({
    limit: Type.Integer(),
    total: Type.Integer({ description: 'Exact' }),
    next_cursor: nextCursor,
  }),
})

export const TagCount = Type.Object({ ...Tag.properties, count: Type.Integer() })
export type TagCount = Static<typeof TagCount>

const capabilityCounts = Object.fromEntries(CAPABILITY_IDS.map((name) => [name, Type.Integer()])) as Record<
  CapabilityId,
  Type.TInteger
>

export const Facets = Type.Object({
  total: Type.Integer(),
  flags: Type.Record(Type.Enum([...FLAGS]), Type.Integer(), {
    description: 'Number of scripts that match with this flag on',
  }),
  behavior: Type.Object(capabilityCounts, {
    description: 'Number of matching scripts whose code has this capability',
  }),
  tags: Type.Array(TagCount, { description: 'The most frequent tags among the matching scripts, at most 20' }),
})
export type Facets = Static<typeof Facets>

export const Game = Type.Object({
  game_id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Null if nobody entered it' }),
  script_count: Type.Integer({ description: 'Number of public scripts that are made for it' }),
})
export type Game = Static<typeof Game>

export const SearchSuggestions = Type.Object({
  titles: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      slug: Type.String(),
      image_card: Card.properties.image_card,
      author_name: Type.String(),
      warning: Card.properties.warning,
    }),
    { description: 'Scripts whose title matches all words, most downloaded first, at most 5' },
  ),
  tags: Type.Array(TagCount, { description: 'Tags that start with the text, most used first, at most 5' }),
  games: Type.Array(Type.Object({ ...Game.properties, name: Type.String() }), {
    description: 'Games whose name matches all words, those with the most scripts first, at most 3',
  }),
  authors: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      slug: Type.String(),
      avatar: Type.String({ description: 'URL of the avatar' }),
    }),
    { description: 'Authors whose name matches all words, at most 5' },
  ),
})
export type SearchSuggestions = Static<typeof SearchSuggestions>

export const RelatedScript = Type.Pick(Card, [
  'id',
  'slug',
  'title',
  'image_card',
  'author_name',
  'author_slug',
  'rating_average',
  'rating_count',
  'download_count',
  'warning',
])
export type RelatedScript = Static<typeof RelatedScript>

export const RelatedScripts = Type.Object({
  similar: Type.Array(RelatedScript, {
    description:
      'Scripts by other authors that share tags with it, at most 6. Rare tags weigh more; equal ones by downloads',
  }),
  by_author: Type.Array(RelatedScript, { description: "The author's other scripts, most downloaded first, at most 3" }),
  by_author_total: Type.Integer({ description: "Number of the author's other scripts" }),
})
export type RelatedScripts = Static<typeof RelatedScripts>

const gameId = digits({ pattern: GAME_ID_PATTERN, description: "The game's id" })

export const SUGGESTIONS_TYPE = 'application/x-suggestions+json; charset=utf-8'

export const catalogueOperations = {
  'GET /api/scripts': {
    // Admins get all scripts, and authors all of their own.
    access: 'memberIfKnown',
    accessWith: ({ public: isPublic, author }) =>
      isPublic === 'true' ? 'public' : author ? 'optionalMember' : 'memberIfKnown',

    tolerant: true,
    cacheControl: 'public, no-cache',
    summary: 'List scripts. Admins get private ones, too, and those of banned members',
    scope: 'scripts:read-private',
    query: Type.Object({
      ...ListQuery.properties,
      public: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'If `true`, the list is the one that visitors see, for everyone' }),
      ),
    }),
    response: { 200: ScriptList },
  },
  'GET /api/v1/scripts': {
    access: 'optionalMember',
    accessWith: ({ author }) => (author ? 'optionalMember' : 'public'),

    cacheControl: 'public, no-cache',
    summary: 'List and search scripts, by page or by cursor',
    scope: 'scripts:read-private',
    stable: { route: 'GET /api/v1/scripts' },
    query: CursorListQuery,
    response: { 200: CursorScriptList },
  },
  'GET /api/script-facets': {
    access: 'public',
    stable: { route: 'GET /api/v1/facets' },
    cacheControl: 'public, no-cache',
    summary: 'Number of matching scripts for each additional filter',
    query: CatalogueFilters,
    response: { 200: Facets },
  },
  'GET /api/search-suggestions': {
    access: 'public',
    stable: { route: 'GET /api/v1/suggestions' },
    cacheControl: 'public, no-cache',
    summary: 'Search suggestions while typing',
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: MAX_SEARCH_LENGTH }) }),
    response: { 200: SearchSuggestions },
  },
  'GET /api/opensearch-suggestions': {
    access: 'public',
    cacheControl: 'public, no-cache',
    summary: 'Search suggestions for the search field of a browser',
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: MAX_SEARCH_LENGTH }) }),
    contentType: SUGGESTIONS_TYPE,
    response: {
      200: Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
        description: 'The text and its completions, as in the OpenSearch suggestions extension',
      }),
    },
  },
  'GET /api/related-scripts': {
    access: 'public',
    stable: { route: 'GET /api/v1/scripts/{slug}/related', path: { slug: 'id' } },
    cacheControl: 'public, no-cache',
    summary: 'Scripts similar to a public one, and more by its author; empty for other scripts',
    query: Type.Object({ id }),
    response: { 200: RelatedScripts },
  },
  'GET /api/game': {
    access: 'public',
    cacheControl: 'public, no-cache',
    stable: { route: 'GET /api/v1/games/{id}', path: { id: 'id' } },
    summary: 'A game that public scripts are made for',
    query: Type.Object({ id: gameId }),
    response: { 200: Type.Object({ game: Game }) },
  },
  'PUT /api/game': {
    access: 'moderator',
    summary: 'Name a game. Its authors can no longer change the name (moderators)',
    body: Type.Object(
      {
        id: gameId,
        name: Type.String({ description: `One line of at most ${MAX_GAME_NAME_LENGTH} characters` }),
      },
      strict,
    ),
    response: { 200: Type.Object({ game: Game }) },
  },
  'GET /api/script-tags': {
    access: 'public',
    stable: { route: 'GET /api/v1/tags' },
    cacheControl: 'public, no-cache',
    tolerant: true,
    summary: 'All tags in use, most used first, at most 200',
    response: { 200: Type.Object({ tags: Type.Array(TagCount) }) },
  },
} as const satisfies Record<string, Operation>
