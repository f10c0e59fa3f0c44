import { visitor } from '#server/http/guards.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { getRatings, type RatingsOptions } from './service.ts'

export function registerRatings(app: App, options: RatingsOptions): void {
  serve(app, 'GET /api/script-rating', visitor, async ({ query, reply }) => {
    reply.header('cache-control', 'no-cache')
    return { ...(await getRatings(options, query.id)), own_rating: null }
  })
}
