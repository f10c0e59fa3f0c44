import type { FastifyRequest } from 'fastify'
import type { Review } from '#contract/ratings.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { isInProcess } from '#server/platform/http/in-process.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { scriptSlug } from '#contract/slug.ts'
import { changeScript, putVersion, removeScript } from './change.ts'
import { deleteDraft, getDraft, listDrafts, saveDraft } from './drafts.ts'
import { getInsights } from './insights.ts'
import { getCode, getScriptBySlug, sendAttachment, sendGone, sendRaw, type WritingOptions } from './read.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import { referrerHost } from './referrer.ts'
import { SocialImages } from './social-image.ts'
import { publishScript } from './publish.ts'
import { getVersion, isPublishedBy, listVersions, restoreVersion, summarizeVersion } from './versions.ts'
import type { Viewer } from './visibility.ts'
import { hashVisitor, type VisitCounter, type VisitKind } from './visits.ts'

const DEFAULT_INSIGHT_DAYS = 30

export interface ScriptRoutesOptions extends WritingOptions {
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
  secretKey: Buffer
  siteName: () => string
  /** Host of this site, whose links are no referrers. */
  ownHost: string
  visits: VisitCounter
  /** A script's newest reviews; injected, because the ratings feature is in a higher layer. */
  listNewestReviews: (db: Database, scriptId: number) => Promise<Review[]>
}

export function registerScripts(app: App, options: ScriptRoutesOptions): void {
  registerReading(app, options)
  registerVersions(app, options)
  registerInsights(app, options)
  registerWriting(app, options)
  registerDrafts(app, options)
}

/** Muted members store drafts, too. */
function registerDrafts(app: App, { db }: ScriptRoutesOptions): void {
  serve(app, 'GET /api/drafts', async ({ caller }) => ({ drafts: await listDrafts(db, caller.id) }))

  serve(app, 'GET /api/draft', ({ query, caller }) => getDraft(db, { memberId: caller.id, key: query.key }))

  serve(app, 'PUT /api/draft', async ({ body, caller }) => {
    const { key, content, base_updated_at: base = null } = body
    const updatedAt = await saveDraft(db, { memberId: caller.id, key }, { content, base })
    return { updated_at: updatedAt.toISOString() }
  })

  serve(app, 'DELETE /api/draft', async ({ query, caller }) => {
    await deleteDraft(db, { memberId: caller.id, key: query.key })
    return { message: 'Draft deleted.' }
  })
}

function registerReading(app: App, options: ScriptRoutesOptions): void {
  const { db, reads, secretKey, visits, listNewestReviews, ownHost } = options
  const from = (viewer: Viewer) => (viewer ? db : reads)
  const count = (
    script: { id: number; author_id: number },
    kind: VisitKind,
    request: FastifyRequest,
    viewer?: Viewer,
  ) => {
    // HEAD requests and authors' own visits don't count.
    if (request.method === 'HEAD' || viewer?.id === script.author_id) return
    visits.count(script.id, kind, hashVisitor(request, secretKey), referrerHost(request.headers.referer, ownHost))
  }

  serve(app, 'GET /api/script-details-slug', async ({ query, caller, request }) => {
    const script = await getScriptBySlug({ ...options, db: from(caller) }, query.slug, caller)
    if (!isInProcess(request)) count(script, 'view', request, caller)
    return { script, comments: await listNewestReviews(from(caller), script.id) }
  })

  serve(app, 'GET /api/script-download', async ({ query, caller, request, reply }) => {
    const code = await getCode(from(caller), query.id, caller).catch((error: unknown) => sendGone(error, reply))
    if (!('content' in code)) return code
    count(code, 'download', request, caller)
    return sendAttachment(code, request, reply)
  })

  serve(app, 'POST /api/script-download', async ({ body, caller, request, reply }) => {
    const code = await getCode(from(caller), body.script_id, caller)
    count(code, 'download', request, caller)
    reply.code(202)
    return { message: 'Counted once a day.' }
  })

  app.get<{ Params: { slug: string } }>('/raw/:slug', async (request, reply) => {
    const code = await sendRaw(reads, request.params.slug, request, reply)
    if (code) count(code, 'download', request)
    return reply
  })

  const images = new SocialImages({ ...options, store: options.media.store })
  app.get<{ Params: { slug: string } }>('/social/:slug.jpg', { config: { limit: 'drawing' } }, (request, reply) =>
    images.send(request.params.slug, request, reply),
  )
}

function registerVersions(app: App, options: ScriptRoutesOptions): void {
  const { db, reads } = options
  const from = (viewer: Viewer) => (viewer ? db : reads)
  serve(app, 'GET /api/script-versions', async ({ query, caller }) => {
    return { versions: await listVersions(from(caller), query.id, caller) }
  })
  serve(app, 'GET /api/script-version', async ({ query: { id, number }, caller, request: { apiToken } }) => {
    const isOwn = !caller && apiToken && (await isPublishedBy(db, id, number, apiToken.token.id))
    const viewer = isOwn ? apiToken.caller : caller
    // The author's editor opens withdrawn code. Programs get none.
    return { version: await getVersion(from(viewer), id, number, viewer, { showsAuthor: !apiToken }) }
  })
  serve(app, 'PUT /api/script-versions', async ({ query, body, caller, request, reply }) => {
    requireTokenScript(request, query.id)
    const { isNew, title, number } = await putVersion(options, caller, query.id, body)
    const version = await summarizeVersion(db, query.id, number, caller)
    reply.code(isNew ? (version.state === 'held' ? 202 : 201) : 200)
    return { script: { id: query.id, title, slug: scriptSlug(title, query.id) }, version }
  })
  serve(app, 'POST /api/script-versions', async ({ body, caller, request }) => {
    requireTokenScript(request, body.script_id)
    return { script: await restoreVersion(options, caller, body.script_id, body.number) }
  })
}

/** A token may be for chosen scripts, and that of a build is for those that trust the build. Undefined: a new script. */
function requireTokenScript({ apiToken }: FastifyRequest, id: number | undefined): void {
  if (!apiToken?.scriptIds || (id !== undefined && apiToken.scriptIds.includes(id))) return
  const sentence =
    id === undefined ? 'This token cannot publish new scripts.' : 'This token was issued for another script.'
  throw new AppError('token_not_for_script', 403, sentence)
}

function registerInsights(app: App, { db }: ScriptRoutesOptions): void {
  serve(app, 'GET /api/script-insights', async ({ query, caller }) => {
    return getInsights(db, { authorId: caller.id, scriptId: query.id, days: query.days ?? DEFAULT_INSIGHT_DAYS })
  })
}

function registerWriting(app: App, options: ScriptRoutesOptions): void {
  serve(app, 'POST /api/scripts', async ({ body, caller, request, reply }) => {
    requireTokenScript(request, undefined)
    const key = request.headers['idempotency-key']
    const { id: authorId, personId, publisher = publishedBy('web') } = caller
    const script = await publishScript(options, { authorId, personId, publisher, body, key })
    reply.code(201)
    return { script }
  })
  serve(app, 'PUT /api/script-details', async ({ query, body, caller, request }) => {
    requireTokenScript(request, query.id)
    return { script: await changeScript(options, caller, query.id, body, { sendsAllFields: true }) }
  })
  // Muted members may delete their scripts.
  serve(app, 'DELETE /api/script-details', async ({ query, caller, request }) => {
    requireTokenScript(request, query.id)
    await removeScript(options, caller, query.id)
    return { message: 'Script deleted.' }
  })
}
