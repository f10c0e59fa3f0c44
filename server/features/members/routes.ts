import { sendFinished } from '#server/http/finished.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import type { MembersOptions } from './options.ts'
import { getProfile, PublicProfiles } from './read-profile.ts'

export function registerMembers(app: App, options: MembersOptions): void {
  const { guards } = options
  const publicProfiles = new PublicProfiles(options)

  serve(app, 'GET /api/user-profiles', guards.anybody, async ({ query, caller, request, reply }) => {
    if (caller) return { profile: await getProfile(options, query.user_id, caller) }
    reply.header('cache-control', 'public, no-cache')
    return sendFinished(request, reply, await publicProfiles.get(query.user_id))
  })
}
