import Type, { type Static } from 'typebox'
import { FLAGS, type Flag, ORDERS, SORTS } from './catalogue-names.ts'
import { MAX_PAGE, MAX_PAGE_SIZE, MAX_SEARCH_LENGTH, PAGE_SIZE } from './limits.ts'
import type { Operation } from './operation.ts'

const flag = Type.Optional(Type.Enum(['true', 'false'], { description: 'On for `true` only' }))
const flags = Object.fromEntries(FLAGS.map((name) => [name, flag])) as Record<Flag, typeof flag>

/** What narrows a list, without its order and page. */
const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description: 'Words that must all occur, each as a word or its beginning',
    }),
  ),
  tags: Type.Optional(Type.String({ maxLength: 400, description: 'Comma list of tags that must all be there' })),
  author: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: "The author's id" })),
  min_rating: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
  min_views: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PAGE })),
  ...flags,
}

export const CatalogueFilters = Type.Object(filters)
export const ListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }),
  sort: Type.Enum([...SORTS], {
    default: 'created_at',
    description: '`relevance`: the better the places of the searched words, the higher; without words by downloads',
  }),
  order: Type.Enum([...ORDERS], { default: 'desc' }),
  ...filters,
})
export type ListQuery = Static<typeof ListQuery>
export type CatalogueFilters = Static<typeof CatalogueFilters>

export const Tag = Type.Object({ id: Type.Integer(), name: Type.String(), color: Type.String() })
export type Tag = Static<typeof Tag>

const nullable = Type.Union([Type.String(), Type.Null()])

/** A script without its code, as lists show it. `description` is cut to `CARD_DESCRIPTION_LENGTH`. */
export const Card = Type.Object({
  id: Type.Integer(),
  slug: Type.String({ description: 'The last part of its page: /scripts/{slug}' }),
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  image: Type.String({ description: 'Path of the cover in full size, empty when there is none' }),
  image_card: Type.String({ description: 'Path of the cover in card size, empty when there is none' }),
  tags: Type.Array(Tag),
  has_key_system: Type.Boolean(),
  key_system_url: nullable,
  is_universal: Type.Boolean(),
  game_id: nullable,
  is_client_side: Type.Boolean(),
  is_free: Type.Boolean(),
  is_featured: Type.Boolean(),
  is_verified: Type.Boolean(),
  is_public: Type.Boolean(),
  is_showcased: Type.Boolean(),
  is_mobile_compatible: Type.Boolean(),
  is_working: Type.Boolean(),
  author_id: Type.Integer(),
  author_name: Type.String(),
  author_slug: Type.String({ description: 'The last part of the profile page: /profile/{slug}' }),
  author_avatar: Type.String({ description: 'Address of the picture to show' }),
  username: Type.String(),
  profile_image: nullable,
  discord_id: Type.String(),
  avatar: nullable,
  discriminator: Type.String(),
  rating_average: Type.Number(),
  rating_count: Type.Integer(),
  view_count: Type.Integer(),
  download_count: Type.Integer(),
  file_size: Type.Integer({ description: 'Bytes of the code' }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
  showcase_date: nullable,
  showcase_video_url: nullable,
  showcase_notes: nullable,
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
    Type.String({ description: 'When nothing was found for a misspelt word: the search that was probably meant' }),
  ),
})
export type ScriptList = Static<typeof ScriptList>

export const TagCount = Type.Object({ ...Tag.properties, count: Type.Integer() })
export type TagCount = Static<typeof TagCount>

export const Facets = Type.Object({
  total: Type.Integer(),
  flags: Type.Record(Type.Enum([...FLAGS]), Type.Integer(), {
    description: 'How many scripts would be left with that flag on',
  }),
  tags: Type.Array(TagCount, { description: 'The commonest tags of what is left, at most 20' }),
})
export type Facets = Static<typeof Facets>

export const SearchSuggestions = Type.Object({
  titles: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() }), {
    description: 'Scripts with all the words in their titles, the most downloaded first, at most 5',
  }),
  tags: Type.Array(TagCount, { description: 'Tags that begin like the text, the commonest first, at most 5' }),
  authors: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), slug: Type.String() }), {
    description: 'Authors with all the words in their names, at most 5',
  }),
})
export type SearchSuggestions = Static<typeof SearchSuggestions>

export const catalogueOperations = {
  'GET /api/scripts': { summary: 'List scripts', query: ListQuery, response: { 200: ScriptList } },
  'GET /api/script-facets': {
    summary: 'How many scripts each further filter would leave',
    query: CatalogueFilters,
    response: { 200: Facets },
  },
  'GET /api/search-suggestions': {
    summary: 'What somebody may be about to search for',
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: MAX_SEARCH_LENGTH }) }),
    response: { 200: SearchSuggestions },
  },
  'GET /api/script-tags': {
    summary: 'All tags in use, most used first, at most 200',
    response: { 200: Type.Object({ tags: Type.Array(TagCount) }) },
  },
} as const satisfies Record<string, Operation>
