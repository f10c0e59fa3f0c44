import type { Database } from '#server/platform/db/database.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { getRatings, listOwnRatings, type RatingsOptions } from './queries.ts'
import { rateScript, removeRating, replyToReview } from './rate.ts'

export interface RatingRoutesOptions extends RatingsOptions {
  emit: Emit
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
}

export function registerRatings(app: App, options: RatingRoutesOptions): void {
  const { db, reads } = options

  serve(app, 'GET /api/script-rating', ({ query, caller }) => {
    return getRatings(caller ? options : { ...options, db: reads }, query, caller)
  })

  serve(app, 'GET /api/own-ratings', ({ query, caller }) => {
    return listOwnRatings(db, caller.id, query)
  })

  serve(app, 'POST /api/script-rating', async ({ query, body, caller }) => {
    return rateScript(options, { scriptId: query.id, memberId: caller.id }, body)
  })

  serve(app, 'DELETE /api/script-rating', async ({ query, caller }) => {
    const summary = await removeRating(db, { scriptId: query.id, memberId: caller.id })
    return { message: 'Your rating was removed.', summary }
  })

  serve(app, 'PUT /api/rating-reply', async ({ body, caller }) => {
    return { rating: await replyToReview(options, caller, body.rating_id, body.reply) }
  })
}
