import type { FastifyReply, FastifyRequest } from 'fastify'
import { readScriptId } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { Finished, sendFinished } from '#server/http/finished.ts'
import { type Code, getCode } from './service.ts'

const PLAIN_TEXT = 'text/plain; charset=utf-8'

/** The code as plain text, for game clients: any slug that ends in the id; a plain sentence with 404 for nothing. */
export async function sendRaw(db: Database, slug: string, request: FastifyRequest, reply: FastifyReply) {
  try {
    const code = await getCode(db, readScriptId(slug))
    reply.header('cache-control', 'public, no-cache')
    sendFinished(request, reply, new Finished(code.content, PLAIN_TEXT))
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
  return sendFinished(request, reply, new Finished(code.content, PLAIN_TEXT))
}
