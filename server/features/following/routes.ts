import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { followAuthor, getFollowStatus, listFollowedAuthors, unfollowAuthor } from './follows.ts'
import { getWatchStatus, listWatchedScripts, unwatchScript, watchScript } from './watches.ts'

export interface FollowingRoutesOptions {
  db: Database
}

/** Following and watching have no text, so muted members may do both. */
export function registerFollowing(app: App, options: FollowingRoutesOptions): void {
  const { db } = options

  serve(app, 'GET /api/follows', ({ query, caller }) =>
    getFollowStatus(db, { memberId: caller.id, authorId: query.user_id }),
  )
  serve(app, 'POST /api/follows', ({ body, caller }) =>
    followAuthor(db, { memberId: caller.id, authorId: body.user_id }),
  )
  serve(app, 'DELETE /api/follows', ({ query, caller }) =>
    unfollowAuthor(db, { memberId: caller.id, authorId: query.user_id }),
  )
  serve(app, 'GET /api/followed-authors', ({ query, caller }) => listFollowedAuthors(options, caller.id, query))

  serve(app, 'GET /api/watches', ({ query, caller }) =>
    getWatchStatus(db, { memberId: caller.id, scriptId: query.script_id }),
  )
  serve(app, 'POST /api/watches', ({ body, caller }) =>
    watchScript(db, { memberId: caller.id, scriptId: body.script_id }),
  )
  serve(app, 'DELETE /api/watches', ({ query, caller }) =>
    unwatchScript(db, { memberId: caller.id, scriptId: query.script_id }),
  )
  serve(app, 'GET /api/watched-scripts', ({ query, caller }) => listWatchedScripts(options, caller.id, query))
}
