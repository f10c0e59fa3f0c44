import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { getWorks } from './queries.ts'
import { castVote, removeVote } from './vote.ts'

export interface WorksRoutesOptions {
  db: Database
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
}

export function registerWorks(app: App, { db, reads }: WorksRoutesOptions): void {
  serve(app, 'GET /api/works-votes', ({ query, caller }) => {
    return getWorks(caller ? db : reads, query.id, caller)
  })
  serve(app, 'POST /api/works-votes', ({ body, caller }) => castVote(db, caller, body))
  serve(app, 'DELETE /api/works-votes', ({ query, caller }) => removeVote(db, caller, query.id))
}
