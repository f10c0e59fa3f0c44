import { Readable } from 'node:stream'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import type { MembersOptions } from './options.ts'
import { eraseAccount } from './erase-account.ts'
import { exportMember } from './export-data.ts'
import { exportSections } from './export-sections.ts'

export function registerOwnData(app: App, options: MembersOptions): void {
  const { db, guards, noteChanged, openPrize } = options
  const sections = exportSections({ openPrize })

  serve(app, 'GET /api/account-data', guards.member, ({ caller, reply }) => {
    const ascii = caller.slug.replaceAll(/[^a-z0-9_-]/g, '_')
    const name = `filename="${ascii}-data.json"; filename*=UTF-8''${encodeURIComponent(caller.slug)}-data.json`
    reply.type('application/json; charset=utf-8').header('content-disposition', `attachment; ${name}`)
    return reply.send(Readable.from(exportMember(db, sections, caller.id)))
  })

  serve(app, 'DELETE /api/account', guards.member, async ({ caller, body }) => {
    noteChanged(await eraseAccount(options, caller, body.username))
    return { message: 'Your account has been deleted.' }
  })
}
