import type { App } from '#server/platform/http/app.ts'
import { readBearer } from '#server/platform/authorization/guards.ts'
import { serve } from '#server/platform/http/operations.ts'
import { confirmVersion, type DecisionOptions, discardVersion, releaseVersion } from './decisions.ts'

export function registerReleases(app: App, options: DecisionOptions): void {
  serve(app, 'POST /api/version-confirm', ({ body, caller }) => confirmVersion(options, caller, body))
  // Muted members may discard what they did not publish.
  serve(app, 'POST /api/version-discard', ({ body, caller, request }) =>
    discardVersion(options, { caller, session: readBearer(request) ?? '' }, body),
  )
  serve(app, 'POST /api/version-release', ({ body, caller }) => releaseVersion(options, caller.id, body))
}
