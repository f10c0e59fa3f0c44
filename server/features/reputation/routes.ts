import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { getReputationStatus, giveReputation } from './reputation.ts'

export function registerReputation(app: App, { db }: { db: Database }): void {
  serve(app, 'GET /api/profile-reputation', ({ caller, query }) =>
    getReputationStatus(db, caller.id, query.target_user_id),
  )
  serve(app, 'POST /api/profile-reputation', ({ caller, body }) => giveReputation(db, caller.id, body.target_user_id))
}
