import type { FastifyRequest } from 'fastify'
import type { Review } from '#contract/ratings.ts'
import { visitor } from '#server/http/guards.ts'
import { isInProcess } from '#server/http/in-process.ts'
import { serve } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { sendAttachment, sendRaw } from './raw.ts'
import { getCode, getScriptBySlug, type ScriptsOptions } from './service.ts'
import { visitorOf } from './visitor.ts'
import type { VisitCounter, VisitKind } from './visits.ts'

export interface ScriptRoutesOptions extends ScriptsOptions {
  secretKey: Buffer
  visits: VisitCounter
  /** A script's written reviews, which a feature above this one keeps. */
  listComments: (scriptId: number) => Promise<Review[]>
}

export function registerScripts(app: App, options: ScriptRoutesOptions): void {
  const { db, secretKey, visits, listComments } = options
  const count = (id: number, kind: VisitKind, request: FastifyRequest) => {
    // HEAD only asks whether something is there.
    if (request.method !== 'HEAD') visits.count(id, kind, visitorOf(request, secretKey))
  }

  serve(app, 'GET /api/script-details-slug', visitor, async ({ query, request, reply }) => {
    const script = await getScriptBySlug(options, query.slug)
    if (!isInProcess(request)) count(script.id, 'view', request)
    reply.header('cache-control', 'no-cache')
    return { script, comments: await listComments(script.id) }
  })

  serve(app, 'GET /api/script-download', visitor, async ({ query, request, reply }) => {
    const code = await getCode(db, query.id)
    count(code.id, 'download', request)
    return sendAttachment(code, request, reply)
  })

  serve(app, 'POST /api/script-download', visitor, async ({ body, request, reply }) => {
    const code = await getCode(db, body.script_id)
    count(code.id, 'download', request)
    reply.code(202)
    return { message: 'Counted once a day.' }
  })

  app.get<{ Params: { slug: string } }>('/raw/:slug', async (request, reply) => {
    const code = await sendRaw(db, request.params.slug, request, reply)
    if (code) count(code.id, 'download', request)
    return reply
  })
}
