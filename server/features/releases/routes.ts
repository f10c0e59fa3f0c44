import type { App } from '#server/platform/http/app.ts'
import { readBearer } from '#server/platform/authorization/guards.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { withdrawVersion, type WithdrawOptions } from './withdraw.ts'
import { describeUpdate, listWithdrawals } from './withdrawn.ts'
import { confirmVersion, type DecisionOptions, discardVersion, releaseVersion } from './decisions.ts'
import { listHeldVersions } from './held.ts'
import { changeHoldHours, getHoldSettings } from './hold-settings.ts'
import { type NotMeOptions, serveNotMe } from './not-me.ts'

export interface ReleaseRoutesOptions extends DecisionOptions, NotMeOptions, WithdrawOptions {
  db: Database
  reads: Database
  publicUrl: string
}

export function registerReleases(app: App, options: ReleaseRoutesOptions): void {
  const { db, reads, publicUrl, holdHours } = options
  serveNotMe(app, options)
  serve(app, 'POST /api/version-confirm', ({ body, caller }) => confirmVersion(options, caller, body))
  // Muted members may discard what they did not publish.
  serve(app, 'POST /api/version-discard', ({ body, caller, request }) =>
    discardVersion(options, { caller, session: readBearer(request) ?? '' }, body),
  )
  serve(app, 'POST /api/version-release', ({ body, caller }) => releaseVersion(options, caller.id, body))
  serve(app, 'GET /api/held-versions', ({ query }) => listHeldVersions(db, query.page))
  serve(app, 'GET /api/hold-settings', () => getHoldSettings(db, holdHours))
  serve(app, 'PUT /api/hold-settings', ({ body, caller }) => changeHoldHours(db, caller.id, body.hold_hours, holdHours))
  // Muted members may take back what they published.
  serve(app, 'POST /api/version-withdraw', ({ body, caller }) => withdrawVersion(options, caller, body))
  serve(app, 'GET /api/v1/withdrawn', ({ query }) => listWithdrawals(reads, query))
  serve(app, 'GET /api/script-update', ({ query }) => describeUpdate({ db: reads, publicUrl }, query))
}
