import { plainText } from '@scriptyard/markdown'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type from 'typebox'
import { splitChangelog } from '#contract/script-fields.ts'
import type { Card } from '#contract/catalogue.ts'
import type { Script } from '#contract/scripts.ts'
import { readScriptId, scriptFileName, scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { findDuplicate } from '#server/features/copies/originals.ts'
import type { MediaLibrary } from '#server/platform/media/upload.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { canSeeStats } from '#server/features/members/profile.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { queryReader } from '#server/platform/http/validation.ts'
import { type CodeRow, findCode, findStoredCode, type VersionKey } from './queries.ts'
import { findScreenshots } from './screenshots.ts'
import type { VersionChecks } from './version-checks.ts'
import { isStaffViewer, scriptNotFound, type Viewer } from './visibility.ts'
import { findWaiting } from './waiting.ts'
import { explainMissing, findSuccessor, toStopCode } from './withdrawals.ts'

interface ScriptsOptions {
  db: Database
}

export interface WritingOptions extends ScriptsOptions {
  media: MediaLibrary
  checks: VersionChecks
  emit: Emit
}

/** Throws AppError `script_not_found`, also if the viewer may not see the script, and `version_withdrawn` if it has no other version. */
export async function getScript({ db }: ScriptsOptions, id: number | null, viewer: Viewer): Promise<Script> {
  const code = id === null ? undefined : await findCode(db, id, viewer)
  const [row] = code ? await findCardRows(db, [code.id]) : []
  if (!code || !row) throw id === null ? scriptNotFound() : await explainNoPage(db, id)
  return {
    ...toCard(row),
    description: row.description,
    summary_setting: row.summary,
    script_content: code.state === 'withdrawn' && !isStaffViewer(viewer) ? '' : code.content,
    content_sha256: code.sha256,
    license: code.license,
    script_type: code.script_type,
    placement: code.placement,
    requirements: code.requirements,
    screenshots: await findScreenshots(db, code.id),
    version_count: code.version_count,
    version_created_at: code.version_created_at.toISOString(),
    changelog: code.changelog && plainText(splitChangelog(code.changelog).subject),
    changelog_markdown: code.changelog,
    declared_capabilities: code.declared_capabilities,
    declared_hosts: code.declared_hosts,
    duplicate_of: await findDuplicate(db, { sha256: code.sha256, authorId: code.author_id }),
    is_public_setting: code.is_public_setting,
    is_hidden: code.is_hidden,
    author_reputation: canSeeStats({ ...code, id: code.author_id }, viewer) ? code.reputation : null,
    waiting: await findWaiting(db, code.id, viewer),
    successor: await findSuccessor(db, code.id),
  }
}

/** The page of a removed script is like that of one that never was. */
async function explainNoPage(db: Database, id: number): Promise<AppError> {
  const error = await explainMissing(db, id, {})
  return error.code === 'version_withdrawn' ? error : scriptNotFound()
}

export async function findPublicCard(db: Database, id: number): Promise<Card | undefined> {
  const visible = sql`select from scripts s join members m on m.id = s.author_id where s.id = ${id} and ${isReachable('s', 'm')}`
  const [{ rows }, [row]] = await Promise.all([visible.execute(db), findCardRows(db, [id])])
  return rows.length > 0 && row ? toCard(row) : undefined
}

/** Throws AppError `script_not_found`. */
export function getScriptBySlug(options: ScriptsOptions, slug: string, viewer: Viewer): Promise<Script> {
  return getScript(options, readScriptId(slug), viewer)
}

export interface Code extends CodeRow {
  slug: string
}

/**
 * The current code of a script, or that of a stored version. Throws AppError `script_not_found`, `version_withdrawn` and
 * `script_removed`.
 */
export async function getCode(
  db: Database,
  id: number | null,
  viewer: Viewer,
  version: VersionKey = {},
): Promise<Code> {
  const isStored = version.number !== undefined || version.sha256 !== undefined
  const find = () =>
    id === null ? undefined : isStored ? findStoredCode(db, id, version, viewer) : findCode(db, id, viewer)
  const row = await find()
  if (id === null) throw scriptNotFound()
  const isWithdrawn = row && 'state' in row && row.state === 'withdrawn' && !isStaffViewer(viewer)
  if (!row || isWithdrawn) throw await explainMissing(db, id, isWithdrawn ? { sha256: row.sha256 } : version)
  return { ...row, slug: scriptSlug(row.title, row.id) }
}

const PLAIN_TEXT = 'text/plain; charset=utf-8'
const SHA256 = /^[0-9a-f]{64}$/i
const readRawQuery = queryReader(
  Type.Object({
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    sha256: Type.Optional(Type.String({ title: 'SHA-256' })),
  }),
)

/** Parses `?version=` and `?sha256=`. A loader that pins a version never gets another: wrong values are errors. Throws AppError. */
function readVersionKey(query: Record<string, unknown>): VersionKey {
  if (query['version'] === '') throw fieldError('version', 'must be a whole number')
  const { version: number, sha256 = query['sha256'] } = readRawQuery(query)
  if (sha256 === undefined) return { number }
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) throw scriptNotFound()
  return { number, sha256: sha256.toLowerCase() }
}

/** Sends plain text to game clients, which have no session; errors are comments of the language, and stop it after a withdrawal. */
export async function sendRaw(
  db: Database,
  slug: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Code | undefined> {
  try {
    const version = readVersionKey(request.query as Record<string, unknown>)
    const code = await getCode(db, readScriptId(slug), undefined, version)
    reply.header('cache-control', 'public, no-cache')
    sendCachedResponse(request, reply, new CachedResponse(code.content, PLAIN_TEXT))
    return code
  } catch (error) {
    if (!(error instanceof AppError) || ![400, 404, 410].includes(error.status)) throw error
    sendStopCode(error, reply)
    return undefined
  }
}

const sendStopCode = (error: AppError, reply: FastifyReply) =>
  reply.code(error.status).type(PLAIN_TEXT).header('cache-control', 'no-store').send(toStopCode(error))

/** Answers a download of withdrawn code as the raw address does. Throws other errors. */
export function sendGone(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof AppError && error.status === 410) return sendStopCode(error, reply)
  throw error
}

export function sendAttachment(code: Code, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const name = scriptFileName(code.slug)
  const ascii = name.replaceAll(/[^a-z0-9.-]/g, '_')
  reply.header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`)
  return sendCachedResponse(request, reply, new CachedResponse(code.content, PLAIN_TEXT))
}
