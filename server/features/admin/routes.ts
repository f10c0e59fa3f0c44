import { Readable } from 'node:stream'
import type { PersonKey } from '#server/features/accounts/person-key.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { findRoleChange, performAction } from './actions.ts'
import type { AdminOptions } from './admin-user.ts'
import { changeJobs, getJobs, type JobsOptions } from './jobs.ts'
import { listScripts } from './list-scripts.ts'
import { listPersonBans, listUsers } from './list-users.ts'
import { countOpenWork } from './open-work.ts'
import { getStats, type StatsOptions } from './stats.ts'
import { getUserDetails } from './user-details.ts'

export interface AdminRoutesOptions extends AdminOptions, StatsOptions, JobsOptions {
  securityLog: SecurityLog
  personKey: PersonKey
  emailMember: EmailMember
}

export function registerAdmin(app: App, options: AdminRoutesOptions): void {
  serve(app, 'GET /api/admin-keys', async ({ query, reply }) => {
    if (query.type === 'stats') return getStats(options)
    const users = await listUsers(options, query)
    return users instanceof Readable ? reply.type('application/json; charset=utf-8').send(users) : users
  })
  serve(app, 'POST /api/admin-keys', async ({ body, caller, request }) => {
    const result = await performAction(options, caller.id, body)
    const change = findRoleChange(body, result)
    if (change) options.securityLog.record(request, 'role_change', change)
    return result
  })
  serve(app, 'GET /api/admin-user', ({ query }) => getUserDetails(options, query.user_id))
  serve(app, 'GET /api/person-bans', async () => ({ bans: await listPersonBans(options.db) }))
  serve(app, 'GET /api/admin-scripts', ({ query }) => listScripts(options, query))
  serve(app, 'GET /api/open-work', ({ caller }) => countOpenWork(options.db, caller))
  serve(app, 'GET /api/jobs', () => getJobs(options))
  serve(app, 'POST /api/jobs', ({ body, caller }) => changeJobs(options, caller.id, body))
}
