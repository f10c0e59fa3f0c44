import { sendCachedResponse } from '#server/http/cached-response.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { changeProfile } from './change-profile.ts'
import type { MembersOptions } from './options.ts'
import { registerOwnData } from './own-data-routes.ts'
import { getProfile, PublicProfiles } from './read-profile.ts'

export function registerMembers(app: App, options: MembersOptions): void {
  const { guards } = options
  const publicProfiles = new PublicProfiles(options)

  serve(app, 'GET /api/user-profiles', guards.anybody, async ({ query, caller, request, reply }) => {
    if (caller) return { profile: await getProfile(options, query.user_id, caller) }
    reply.header('cache-control', 'public, no-cache')
    return sendCachedResponse(request, reply, await publicProfiles.get(query.user_id))
  })

  serve(app, 'PUT /api/user-profiles', guards.notMuted, async ({ caller, body }) => ({
    profile: await changeProfile(options, caller, body),
  }))

  registerOwnData(app, options)
}
