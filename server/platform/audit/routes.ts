import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { findActions, listAudit } from './audit.ts'

export function registerAudit(app: App, { db }: { db: Database }): void {
  serve(app, 'GET /api/audit-log', async ({ query }) => {
    const rows = await listAudit(db, query)
    const last = rows.length === query.limit ? rows.at(-1) : undefined
    return { rows, next_before_id: last?.id ?? null, actions: await findActions(db) }
  })
}
