import Type, { type Static } from 'typebox'
import { Card, Pagination } from './catalogue.ts'
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_COLLECTION_NAME_LENGTH, MAX_COLLECTION_NOTE_LENGTH } from './limits.ts'
import { id, nullableText, strict, time, type Operation } from './operation.ts'

export const CollectionSummary = Type.Object({
  id: Type.Integer(),
  slug: Type.String({ description: 'Last part of the page URL: /collections/{slug}' }),
  name: Type.String(),
  description: nullableText,
  is_public: Type.Boolean({ description: "The owner's choice" }),
  is_hidden: Type.Boolean({ description: 'Moderators hid it from everyone but its owner and the staff' }),
  item_count: Type.Integer({ description: 'All scripts in it, also those that are not public any more' }),
  updated_at: time,
})
export type CollectionSummary = Static<typeof CollectionSummary>

export const Collection = Type.Object({
  ...CollectionSummary.properties,
  owner_id: Type.Integer(),
  owner_name: Type.String(),
  owner_slug: Type.String(),
  owner_avatar: Type.String(),
})
export type Collection = Static<typeof Collection>

export const CollectionItem = Type.Object({ script: Card, note: nullableText, added_at: time })
export type CollectionItem = Static<typeof CollectionItem>

export const CollectionPage = Type.Object({
  collection: Collection,
  items: Type.Array(CollectionItem),
  pagination: Pagination,
  unavailable_count: Type.Integer({ description: 'Scripts in it that the caller cannot see; 0 for all but the owner' }),
})
export type CollectionPage = Static<typeof CollectionPage>

const OwnCollection = Type.Object({
  ...CollectionSummary.properties,
  has_script: Type.Boolean({ description: 'Whether it contains the script in the query' }),
})
export type OwnCollection = Static<typeof OwnCollection>

const text = (description: string) => Type.String({ description })
const name = text(`One line, at most ${MAX_COLLECTION_NAME_LENGTH} characters`)
const description = Type.Optional(
  Type.Union([text(`At most ${MAX_COLLECTION_DESCRIPTION_LENGTH} characters`), Type.Null()]),
)
const note = Type.Optional(Type.Union([text(`At most ${MAX_COLLECTION_NOTE_LENGTH} characters`), Type.Null()]))
const result = { 200: Type.Object({ collection: CollectionSummary }) }

export const collectionOperations = {
  'GET /api/collection': {
    access: 'optionalMember',
    stable: { route: 'GET /api/v1/collections/{slug}', path: { slug: 'slug' } },
    cacheControl: 'no-cache',
    summary: 'A collection with a page of its scripts, 50 each. Private ones are found by their owner only',
    query: Type.Object({
      slug: Type.String({ maxLength: 400 }),
      page: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
    }),
    response: { 200: CollectionPage },
  },
  'GET /api/collections': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    summary: "A member's public collections, at most 100; the caller's own are all",
    query: Type.Object({ user_id: id }),
    response: { 200: Type.Object({ collections: Type.Array(CollectionSummary) }) },
  },
  'GET /api/own-collections': {
    access: 'member',
    summary: "The caller's collections, and which contain a script",
    query: Type.Object({ script_id: Type.Optional(id) }),
    response: { 200: Type.Object({ collections: Type.Array(OwnCollection) }) },
  },
  'POST /api/collections': {
    access: 'notMuted',
    summary: 'Create a collection, with a first script if one is named',
    body: Type.Object({ name, description, is_public: Type.Boolean(), script_id: Type.Optional(id) }, strict),
    response: { 201: Type.Object({ collection: CollectionSummary }) },
  },
  'PUT /api/collections': {
    access: 'notMuted',
    summary: "Change the caller's collection; omitted fields stay as they are",
    body: Type.Object({ id, name: Type.Optional(name), description, is_public: Type.Optional(Type.Boolean()) }, strict),
    response: result,
  },
  'DELETE /api/collections': {
    access: 'member',
    summary: "Delete the caller's collection. Its scripts stay",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'POST /api/collection-items': {
    access: 'notMuted',
    summary: 'Add a script to the end of a collection. Adding it again changes nothing',
    body: Type.Object({ collection_id: id, script_id: id, note }, strict),
    response: result,
  },
  'PUT /api/collection-items': {
    access: 'notMuted',
    summary: 'Change the note of a script in a collection, or move it before another one, or to the end with null',
    body: Type.Object(
      {
        collection_id: id,
        script_id: id,
        note,
        before_script_id: Type.Optional(Type.Union([id, Type.Null()])),
      },
      strict,
    ),
    response: result,
  },
  'DELETE /api/collection-items': {
    access: 'member',
    summary: 'Remove a script from a collection. Removing it again changes nothing',
    query: Type.Object({ collection_id: id, script_id: id }),
    response: result,
  },
} as const satisfies Record<string, Operation>
