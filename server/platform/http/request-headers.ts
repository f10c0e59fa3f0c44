import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { App } from './app.ts'
import { announcesBody } from './unread-body.ts'

/** Values of `charset` whose bytes are UTF-8. */
const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])
const CHARSET = /;\s*charset\*?\s*=\s*("[^"]*"|[^\s;]*)/gi

const unsupportedEncoding = () =>
  new AppError('unsupported_encoding', 415, 'Send the request without compression.', {
    headers: { 'accept-encoding': 'identity' },
  })
const unsupportedCharset = () => new AppError('unsupported_charset', 415, 'Send the request as UTF-8.')
const unsupportedRange = () =>
  new AppError('unsupported_range', 400, 'Send the whole content: parts of it are not accepted.')
const unsupportedCondition = () =>
  new AppError('unsupported_condition', 412, 'Changes with a condition are not supported. Send the request without it.')

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since', 'if-modified-since']

/**
 * Rejects headers that change what a request means and that the site does not support: a compressed body, another charset,
 * a part of a content, a change under a condition. After the guards, before the body is received.
 */
export function rejectUnsupportedHeaders(app: App): void {
  app.addHook('preParsing', async (request) => {
    if (!request.is404) requireSupported(request)
  })
}

function requireSupported({ headers, method }: FastifyRequest): void {
  if (!READS.has(method) && CONDITIONS.some((name) => headers[name] !== undefined)) throw unsupportedCondition()
  if (headers['content-range'] !== undefined) throw unsupportedRange()
  if (!announcesBody({ headers })) return
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim().toLowerCase())
  if (encodings.some((encoding) => encoding !== '' && encoding !== 'identity')) throw unsupportedEncoding()
  for (const [, charset = ''] of (headers['content-type'] ?? '').matchAll(CHARSET)) {
    if (!UTF8.has(charset.replaceAll('"', '').toLowerCase())) throw unsupportedCharset()
  }
}
