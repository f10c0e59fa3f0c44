import type { FastifyRequest } from 'fastify'
import type { Forge } from '#server/platform/config/forges.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { exchange, findTrust } from './exchange.ts'
import type { Build } from './id-token.ts'
import { acceptAllVersions, acceptOnlyBuilds, addPublisher, listPublishers, removePublisher } from './publishers.ts'

interface TrustedPublishingOptions {
  db: Database
  securityLog: SecurityLog
  forges: readonly Forge[]
  audience: string
  /** Throws like `IdTokenVerifier`. */
  verifyIdToken: (token: string) => Promise<Build>
  /** Called for each exchange on behalf of a member; may throw. */
  countMember: ((memberId: number, request: FastifyRequest) => Promise<void>) | undefined
}

export function registerTrustedPublishing(app: App, options: TrustedPublishingOptions): void {
  const { db, securityLog, forges, audience, verifyIdToken, countMember } = options

  serve(app, 'GET /api/trusted-publishers', async ({ caller, query }) => {
    const listed = await listPublishers(db, forges, caller, query.id)
    return { ...listed, forges: forges.map(({ kind, url }) => ({ kind, url })), audience }
  })

  serve(app, 'POST /api/trusted-publishers', async ({ caller, body, request, reply }) => {
    const publisher = await addPublisher(db, forges, caller, body)
    securityLog.record(request, 'trusted_publisher_added', { subject_ids: [body.script_id] })
    reply.code(201)
    return { publisher }
  })

  serve(app, 'DELETE /api/trusted-publishers', async ({ caller, query, request }) => {
    await removePublisher(db, caller, query.id)
    securityLog.record(request, 'trusted_publisher_removed')
    return { message: 'The trusted publisher was removed.' }
  })

  serve(app, 'PUT /api/only-builds', async ({ caller, body, request }) => {
    await acceptOnlyBuilds(db, caller, body.script_id)
    securityLog.record(request, 'only_builds_on', { subject_ids: [body.script_id] })
    return { message: 'Only trusted builds may publish versions of this script now.' }
  })

  serve(app, 'DELETE /api/only-builds', async ({ caller, query, request }) => {
    await acceptAllVersions(db, caller, query.id)
    securityLog.record(request, 'only_builds_off', { subject_ids: [query.id] })
    return { message: 'Versions of this script can be published in every way again.' }
  })

  serve(app, 'POST /api/oidc-token', async ({ body, request, reply }) => {
    try {
      const build = await verifyIdToken(body.id_token)
      const trust = await findTrust(db, build, body.script_id)
      securityLog.identify(request, trust.authorId)
      await countMember?.(trust.authorId, request)
      const exchanged = await exchange(db, build, trust)
      securityLog.record(request, 'id_token_exchanged', { subject_ids: exchanged.scripts.map(({ id }) => id) })
      reply.code(201)
      return exchanged
    } catch (error) {
      // Counted and not recorded one by one, because anybody can send any number of them.
      if (error instanceof AppError) securityLog.count(request, 'id_token_rejected', { reason: error.code })
      throw error
    }
  })
}
