import type { Comment } from '#contract/comments.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { findHelpfulReviews, setHelpful } from './helpful.ts'
import { setSlowMode } from './moderate.ts'
import { type CommentsOptions, getThread, listThreads } from './queries.ts'
import { deleteComment, editComment, postComment } from './write.ts'

export interface CommentRoutesOptions extends CommentsOptions {
  emit: Emit
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
}

const messageOf = ({ state }: Comment, published: string) =>
  state === 'pending' ? 'A moderator will review your comment, because it has a link.' : published

export function registerComments(app: App, options: CommentRoutesOptions): void {
  const { db, reads } = options
  const from = (caller: unknown) => (caller ? options : { ...options, db: reads })

  serve(app, 'GET /api/script-comments', ({ query, caller }) => {
    return listThreads(from(caller), query, caller)
  })

  serve(app, 'GET /api/comment-thread', ({ query, caller }) => {
    return getThread(from(caller), query, caller)
  })

  serve(app, 'POST /api/script-comments', async ({ query, body, caller, reply }) => {
    const { text, parent_id: parentId } = body
    const comment = await postComment(options, caller, { scriptId: query.id, parentId, text })
    reply.code(201)
    return { comment, message: messageOf(comment, 'Comment published') }
  })

  serve(app, 'PUT /api/script-comment', async ({ query, body, caller }) => {
    const comment = await editComment(options, caller, query.id, body.text)
    return { comment, message: messageOf(comment, 'Comment saved') }
  })

  serve(app, 'DELETE /api/script-comment', async ({ query, caller }) => {
    await deleteComment(db, caller, query.id)
    return { message: 'Comment deleted' }
  })

  serve(app, 'PUT /api/comment-settings', async ({ body, caller }) => {
    await setSlowMode(db, caller, body.script_id, body.slow_seconds)
    return { message: body.slow_seconds === 0 ? 'Slow mode is off' : 'Slow mode is on' }
  })

  serve(app, 'PUT /api/helpful', async ({ body, caller }) => ({
    helpful_count: await setHelpful(db, caller, body),
  }))

  serve(app, 'GET /api/own-helpful', async ({ query, caller }) => ({
    reviews: await findHelpfulReviews(db, query.id, caller.id),
  }))
}
