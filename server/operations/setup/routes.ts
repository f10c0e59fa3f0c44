import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { changeSetup, type SetupChangeOptions } from './change-setup.ts'

interface SetupRoutesOptions extends SetupChangeOptions {
  securityLog: SecurityLog
}

export function registerSetup(app: App, options: SetupRoutesOptions): void {
  const { setup, securityLog } = options
  serve(app, 'GET /api/setup', () => ({ is_open: setup.isOpen }))
  serve(app, 'POST /api/setup', async ({ body, caller, request }) => {
    const state = await changeSetup(options, caller, body)
    if (body.action === 'claim_admin') securityLog.record(request, 'admin_by_setup', { member_id: caller?.id })
    return state
  })
}
