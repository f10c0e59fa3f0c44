import type { Guards } from '#server/http/guards.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { getRatings, type RatingsOptions } from './service.ts'

export function registerRatings(app: App, options: RatingsOptions & { guards: Guards }): void {
  serve(app, 'GET /api/script-rating', options.guards.anybody, async ({ query, caller, reply }) => {
    reply.header('cache-control', 'no-cache')
    return { ...(await getRatings(options, query.id, caller)), own_rating: null }
  })
}
