import Type, { type Static } from 'typebox'
import { Card, Pagination } from './catalogue.ts'
import { FAVORITE_SORTS, PAGE_SIZE } from './limits.ts'
import { CURSOR, id, nextCursor, strict, time, type Operation } from './operation.ts'

export const Favorite = Type.Object({ added_at: time, script: Card })
export type Favorite = Static<typeof Favorite>

export const FavoriteList = Type.Object({
  favorites: Type.Array(Favorite),
  pagination: Type.Object({ ...Pagination.properties, next_cursor: nextCursor }),
  unavailable_count: Type.Integer({
    description: 'Favorites that are not public any more and are left out of the list',
  }),
})
export type FavoriteList = Static<typeof FavoriteList>

const FavoriteStatus = Type.Object({ is_favorite: Type.Boolean(), favorite_count: Type.Integer() })

export const favoriteOperations = {
  'GET /api/favorites': {
    access: 'member',
    scope: 'favorites:read',
    stable: { route: 'GET /api/v1/favorites' },
    summary: "The caller's favorites that are still public",
    query: Type.Object({
      page: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: PAGE_SIZE }),
      sort: Type.Enum([...FAVORITE_SORTS], { default: 'added' }),
      cursor: Type.Optional(Type.String({ description: `${CURSOR}. It replaces \`page\` and belongs to its sort` })),
    }),
    response: { 200: FavoriteList },
  },
  'GET /api/script-favorite': {
    access: 'member',
    scope: 'favorites:read',
    summary: 'Whether a script is one of the caller’s favorites, and how many members have it as a favorite',
    query: Type.Object({ id }),
    response: { 200: FavoriteStatus },
  },
  'GET /api/favorite-scripts': {
    access: 'member',
    scope: 'favorites:read',
    summary: 'Which of up to 100 scripts are among the caller’s favorites',
    query: Type.Object({
      ids: Type.String({
        pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,99}$',
        description: 'Ids of scripts, with commas between them',
      }),
    }),
    response: { 200: Type.Object({ favorites: Type.Array(Type.Integer()) }) },
  },
  'POST /api/favorites': {
    access: 'member',
    scope: 'favorites:write',
    stable: { route: 'PUT /api/v1/favorites/{slug}', path: { slug: 'script_id' } },
    summary: 'Add a script to the favorites. Adding it again changes nothing',
    body: Type.Object(
      {
        script_id: id,
        added_at: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'When it was first added, to undo a removal; not in the future',
          }),
        ),
      },
      strict,
    ),
    response: { 200: FavoriteStatus },
  },
  'DELETE /api/favorites': {
    access: 'member',
    scope: 'favorites:write',
    stable: { route: 'DELETE /api/v1/favorites/{slug}', path: { slug: 'script_id' } },
    summary: 'Remove a script from the favorites. Removing it again changes nothing',
    query: Type.Object({ script_id: id }),
    response: { 200: FavoriteStatus },
  },
  'GET /api/favorites-export': {
    access: 'member',
    limit: 'export',
    scope: 'favorites:read',
    summary: "The caller's favorites as a file, newest first",
    query: Type.Object({ format: Type.Enum(['json', 'csv'], { default: 'json' }) }),
    response: { 200: Type.String() },
  },
} as const satisfies Record<string, Operation>
