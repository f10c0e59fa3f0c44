// How often one address or one member may call. Generous: a school or a carrier may share one address.
import type { FastifyRequest } from 'fastify'
import type { RateLimit } from '#server/http/rate-limits.ts'

type Kind = 'read' | 'write' | 'portal' | 'upload' | 'export' | 'sign_in'

export const PER_ADDRESS: Record<Kind, RateLimit> = {
  read: { calls: 1200, seconds: 20, counted: 'exchanged' },
  write: { calls: 600, seconds: 60, counted: 'at_once' },
  portal: { calls: 1200, seconds: 60, counted: 'at_once' },
  upload: { calls: 300, seconds: 600, counted: 'at_once' },
  export: { calls: 60, seconds: 600, counted: 'at_once' },
  sign_in: { calls: 120, seconds: 600, counted: 'at_once' },
}

export const PER_MEMBER: Partial<Record<Kind, RateLimit>> = {
  write: { calls: 120, seconds: 60, counted: 'at_once' },
  portal: { calls: 600, seconds: 60, counted: 'at_once' },
  upload: { calls: 60, seconds: 600, counted: 'at_once' },
  export: { calls: 10, seconds: 600, counted: 'at_once' },
}

const SIGN_IN = /^\/api\/discord-(auth|callback)\b/
const UPLOAD = /^\/api\/(scripts|media)\b/
/** An admin's deeds on many scripts are a call each. */
const PORTAL = /^\/api\/admin-/
/** All that a member has here is read for it. */
const EXPORT = /^\/api\/account-data\b/
/** Files that are the same for ever, and the signs of life. */
const FREE = /^\/(assets|media)\/|^\/(healthz|readyz)$/

export function kindOf({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): Kind | undefined {
  if (FREE.test(url)) return undefined
  if (SIGN_IN.test(url)) return 'sign_in'
  if (EXPORT.test(url)) return 'export'
  if (method === 'GET' || method === 'HEAD') return 'read'
  if (PORTAL.test(url)) return 'portal'
  return method === 'POST' && UPLOAD.test(url) ? 'upload' : 'write'
}
