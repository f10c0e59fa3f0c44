import { Readable } from 'node:stream'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { sendCachedResponse } from '#server/platform/http/cached-response.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { changeProfile, type ChangeProfileOptions } from './change-profile.ts'
import { eraseAccount, type EraseOptions } from './erase-account.ts'
import { exportMember } from './export-data.ts'
import { exportSections, type SectionsOptions } from './export-sections.ts'
import { getProfile, PublicProfiles, toStableProfile, type PublicProfilesOptions } from './profile.ts'

export interface MembersOptions extends PublicProfilesOptions, ChangeProfileOptions, EraseOptions, SectionsOptions {
  securityLog: SecurityLog
}

export function registerMembers(app: App, options: MembersOptions): void {
  const { db, securityLog } = options
  const publicProfiles = new PublicProfiles(options)
  const sections = exportSections(options)

  serve(app, 'GET /api/user-profiles', async ({ query, caller, request, reply }) => {
    if (caller) return { profile: await getProfile(options, query.user_id, caller) }
    return sendCachedResponse(request, reply, await publicProfiles.get(query.user_id))
  })

  serve(app, 'GET /api/v1/members/{name}', async ({ query, caller, request, reply }) => {
    if (caller) return { profile: toStableProfile(await getProfile(options, query.user_id, caller)) }
    return sendCachedResponse(request, reply, await publicProfiles.get(query.user_id, { isStable: true }))
  })

  serve(app, 'PUT /api/user-profiles', ({ caller, body }) => changeProfile(options, caller, body))

  serve(app, 'GET /api/account-data', ({ caller, request, reply }) => {
    securityLog.record(request, 'data_export')
    const ascii = caller.slug.replaceAll(/[^a-z0-9_-]/g, '_')
    const name = `filename="${ascii}-data.json"; filename*=UTF-8''${encodeURIComponent(caller.slug)}-data.json`
    reply.type('application/json; charset=utf-8').header('content-disposition', `attachment; ${name}`)
    return reply.send(Readable.from(exportMember(db, sections, caller.id)))
  })

  serve(app, 'DELETE /api/account', async ({ caller, body, request }) => {
    await eraseAccount(options, caller, body.username)
    securityLog.record(request, 'account_deletion')
    return { message: 'Your account has been deleted.' }
  })
}
