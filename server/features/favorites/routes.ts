import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { findExportedFavorites, toCsv } from './export.ts'
import { addFavorite, findFavorites, getFavoriteStatus, listFavorites, removeFavorite } from './favorites.ts'

export interface FavoriteRoutesOptions {
  db: Database
  publicUrl: string
}

/** A favorite has no text, so muted members may add them. */
export function registerFavorites(app: App, options: FavoriteRoutesOptions): void {
  const { db, publicUrl } = options

  serve(app, 'GET /api/favorites', ({ query, caller }) => listFavorites(options, caller.id, query))

  serve(app, 'GET /api/script-favorite', ({ query, caller }) =>
    getFavoriteStatus(db, { memberId: caller.id, scriptId: query.id }),
  )

  serve(app, 'GET /api/favorite-scripts', async ({ query, caller }) => ({
    favorites: await findFavorites(db, caller.id, query.ids),
  }))

  serve(app, 'POST /api/favorites', ({ body, caller }) =>
    addFavorite(db, { memberId: caller.id, scriptId: body.script_id }, body.added_at),
  )

  serve(app, 'DELETE /api/favorites', ({ query, caller }) =>
    removeFavorite(db, { memberId: caller.id, scriptId: query.script_id }),
  )

  serve(app, 'GET /api/favorites-export', async ({ query, caller, reply }) => {
    const favorites = await findExportedFavorites(db, caller.id, publicUrl)
    const isCsv = query.format === 'csv'
    reply.header('content-disposition', `attachment; filename="favorites.${query.format}"`)
    reply.type(isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    return reply.send(isCsv ? toCsv(favorites) : JSON.stringify(favorites, null, 2))
  })
}
