import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { receiveBody } from '#server/platform/http/json-body.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { type Connection, getConnection, receive, requireAuthentic } from './receive.ts'
import { putSource, readSource, removeSource, replaceSecret, type SourcesOptions, syncNow } from './sources.ts'

/** GitHub sends up to 25 MB. Pushes of that size are published with "Sync now". */
const MAX_PUSH_BYTES = 2_097_152

interface RepositorySyncOptions extends SourcesOptions {
  securityLog: SecurityLog
  /** Counts a push on behalf of a member; throws AppError `too_many_requests`. */
  countMember: ((memberId: number, request: FastifyRequest) => Promise<void>) | undefined
}

export function registerRepositorySync(app: App, options: RepositorySyncOptions): void {
  const { securityLog, forges } = options

  serve(app, 'GET /api/repository-source', async ({ caller, query }) => {
    const source = await readSource(options, caller, query.id)
    return { ...source, forges: forges.map(({ kind, url }) => ({ kind, url })) }
  })
  serve(app, 'PUT /api/repository-source', async ({ caller, body, request }) => {
    const connected = await putSource(options, caller, body)
    securityLog.record(request, 'repository_connected', { subject_ids: [body.script_id] })
    return connected
  })
  serve(app, 'DELETE /api/repository-source', async ({ caller, query, request }) => {
    await removeSource(options, caller, query.id)
    securityLog.record(request, 'repository_disconnected', { subject_ids: [query.id] })
    return { message: 'The repository was disconnected.' }
  })
  serve(app, 'POST /api/repository-secret', async ({ caller, body }) => {
    return { secret: await replaceSecret(options, caller, body.script_id) }
  })
  serve(app, 'POST /api/repository-sync', async ({ caller, body, reply }) => {
    reply.code(202)
    return { sync: await syncNow(options, caller, body.script_id) }
  })
  app.register(async (scope) => receivePushes(scope, options))
}

/** The route that repositories call. Its bodies stay bytes, because their signature is verified. */
function receivePushes(scope: App, options: RepositorySyncOptions): void {
  const connections = new WeakMap<FastifyRequest, Connection>()
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
    receiveBody(request, payload),
  )
  scope.post<{ Params: { key: string } }>('/api/repository-hooks/:key', {
    config: { limit: 'push' },
    bodyLimit: MAX_PUSH_BYTES,
    // Before the body is received.
    onRequest: async (request) => {
      connections.set(request, await getConnection(options, request.params.key))
    },
    handler: async (request, reply) => {
      const connection = connections.get(request)
      const delivery = { headers: request.headers, body: request.body as Buffer }
      try {
        if (!connection) throw new Error('The request was not prepared.')
        requireAuthentic(connection, delivery)
        await options.countMember?.(connection.ownerId, request)
        const message = await receive(options, connection, delivery)
        reply.code(202)
        return { message }
      } finally {
        request.bodyLease?.release()
      }
    },
  })
}
