import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/features/scripts/visibility.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import type { DraftChecker } from './analyze.ts'
import { DraftChecks } from './check.ts'
import { getCounts } from './counts.ts'
import { listHosts, markHost } from './hosts.ts'
import { getBehavior, listChanges } from './read.ts'

export interface BehaviorRoutesOptions {
  db: Database
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
  sandbox: DraftChecker
  jobs: JobQueue
}

export function registerBehavior(app: App, { db, reads, sandbox, jobs }: BehaviorRoutesOptions): void {
  const checks = new DraftChecks(db, sandbox)
  const from = (viewer: Viewer) => (viewer ? db : reads)
  serve(app, 'GET /api/script-behavior', async ({ query, caller }) => {
    return { behavior: await getBehavior(from(caller), query.id, caller) }
  })
  serve(app, 'GET /api/script-behavior-changes', async ({ query, caller }) => {
    return { changes: await listChanges(from(caller), query.id, caller) }
  })
  serve(app, 'POST /api/script-check', ({ body, caller }) => checks.check(caller, body))
  serve(app, 'GET /api/behavior-stats', () => getCounts(db, jobs))
  serve(app, 'GET /api/behavior-hosts', ({ query }) => listHosts(db, query))
  serve(app, 'PUT /api/behavior-hosts', ({ body, caller }) => markHost({ db, jobs }, caller.id, body))
}
