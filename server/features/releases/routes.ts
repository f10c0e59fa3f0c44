import type { App } from '#server/platform/http/app.ts'
import { type Guards, readBearer } from '#server/platform/authorization/guards.ts'
import { publicAccess, serve } from '#server/platform/http/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { withdrawVersion, type WithdrawOptions } from './withdraw.ts'
import { describeUpdate, listWithdrawals } from './withdrawn.ts'
import { confirmVersion, type DecisionOptions, discardVersion, releaseVersion } from './decisions.ts'
import { listHeldVersions } from './held.ts'
import { changeHoldHours, getHoldSettings } from './hold-settings.ts'
import { type NotMeOptions, serveNotMe } from './not-me.ts'

export interface ReleaseRoutesOptions extends DecisionOptions, NotMeOptions, WithdrawOptions {
  guards: Guards
  db: Database
  reads: Database
  publicUrl: string
}

export function registerReleases(app: App, options: ReleaseRoutesOptions): void {
  const { db, guards, reads, publicUrl, holdHours } = options
  serveNotMe(app, options)
  serve(app, 'POST /api/version-confirm', guards.recentlySignedIn, ({ body, caller }) =>
    confirmVersion(options, caller, body),
  )
  // Muted members may discard what they did not publish.
  serve(app, 'POST /api/version-discard', guards.member, ({ body, caller, request }) =>
    discardVersion(options, { caller, session: readBearer(request) ?? '' }, body),
  )
  serve(app, 'POST /api/version-release', guards.moderator, ({ body, caller }) =>
    releaseVersion(options, caller.id, body),
  )
  serve(app, 'GET /api/held-versions', guards.moderator, ({ query }) => listHeldVersions(db, query.page))
  serve(app, 'GET /api/hold-settings', publicAccess, () => getHoldSettings(db, holdHours))
  serve(app, 'PUT /api/hold-settings', guards.admin, ({ body, caller }) =>
    changeHoldHours(db, caller.id, body.hold_hours, holdHours),
  )
  // Muted members may take back what they published.
  serve(app, 'POST /api/version-withdraw', guards.member, ({ body, caller }) => withdrawVersion(options, caller, body))
  serve(app, 'GET /api/v1/withdrawn', publicAccess, ({ query }) => listWithdrawals(reads, query))
  serve(app, 'GET /api/script-update', publicAccess, ({ query }) => describeUpdate({ db: reads, publicUrl }, query))
}
