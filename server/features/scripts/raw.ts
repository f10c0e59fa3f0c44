import type { FastifyReply, FastifyRequest } from 'fastify'
import { readScriptId } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import { type Code, getCode } from './read.ts'
import { scriptNotFound } from './visibility.ts'

const PLAIN_TEXT = 'text/plain; charset=utf-8'
const SHA256 = /^[0-9a-f]{64}$/i

/** The SHA-256 of a version that an address asks for; undefined for the present one. */
function readHash(query: Record<string, unknown>): string | undefined {
  const { sha256 } = query
  if (sha256 === undefined || sha256 === '') return undefined
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) throw scriptNotFound()
  return sha256.toLowerCase()
}

/**
 * The code of a public script as plain text, for game clients, who have no token: any slug that ends in the id, and
 * `?sha256=` for one of its versions; a plain sentence with 404 for nothing.
 */
export async function sendRaw(
  db: Database,
  slug: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Code | undefined> {
  try {
    const sha256 = readHash(request.query as Record<string, unknown>)
    const code = await getCode(db, readScriptId(slug), undefined, sha256)
    reply.header('cache-control', 'public, no-cache')
    sendCachedResponse(request, reply, new CachedResponse(code.content, PLAIN_TEXT))
    return code
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    reply.code(404).type(PLAIN_TEXT).header('cache-control', 'no-store').send('-- This script was not found.\n')
    return undefined
  }
}

/** The same as a file named after the slug. */
export function sendAttachment(code: Code, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const ascii = code.slug.replaceAll(/[^a-z0-9-]/g, '_')
  reply.header(
    'content-disposition',
    `attachment; filename="${ascii}.luau"; filename*=UTF-8''${encodeURIComponent(code.slug)}.luau`,
  )
  reply.header('cache-control', 'public, no-cache')
  return sendCachedResponse(request, reply, new CachedResponse(code.content, PLAIN_TEXT))
}
