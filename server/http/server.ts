import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type AppError, toAppError, toProblem } from './errors.ts'
import { logRequests, logSettings } from './log.ts'

export interface ServerOptions {
  /** A pino level, or false for none. */
  log: string | false
  /** Where log lines go; standard output when left out. */
  logTo?: { write(line: string): void }
  /** Proxies, as addresses or ranges, whose X-Forwarded-* headers are believed. */
  trustProxy: string[]
  isHttps: boolean
}

export type App = FastifyInstance

const MAX_BODY_BYTES = 1_048_576

/** A server with limits, error answers, logging and security headers, and no word of the product. */
export function createServer(options: ServerOptions): App {
  const app: App = Fastify({
    logger: options.log ? logSettings(options.log, options.logTo) : false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    bodyLimit: MAX_BODY_BYTES,
    // A client that is slower than this is cut off; Fastify's own default is to wait for ever.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: 'idle',
    // Handlers check lengths themselves: a long slug is not found, like any other that names nothing.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url = '/' }) => makeDecodable(url),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.server.headersTimeout = 15_000
  app.removeContentTypeParser('text/plain')
  readJson(app)
  if (options.log) logRequests(app)
  app.addHook('onSend', async (request, reply) => {
    // What a token was shown is nobody else's to keep.
    if (request.headers.authorization) reply.header('cache-control', 'no-store')
    secure(reply, options.isHttps)
  })
  app.setErrorHandler((error: Error, request, reply) => answerError(error, request, reply))
  return app
}

/** JSON bodies; a DELETE may name the type and send nothing, as clients do that name it on every call. */
function readJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '' && request.method === 'DELETE') done(null)
    else void parse(request, body, done)
  })
}

/**
 * A percent sign that begins no character stands for itself, so that odd paths are not found instead of refused. Queries
 * stay as they are: they are read leniently, by the page in the browser just as here.
 */
export function makeDecodable(url: string): string {
  if (!url.includes('%')) return url
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** The one place where a failure becomes an answer. */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error)
  if (known.status >= 500) logFailure(request.log, error, known)
  if (known.details.retryAfter) reply.header('retry-after', known.details.retryAfter)
  return reply.code(known.status).header('cache-control', 'no-store').send(toProblem(known))
}

function logFailure(log: FastifyBaseLogger, error: Error, known: AppError): void {
  const { message } = error.cause instanceof Error ? error.cause : error
  if (known.status === 503) log.warn({ code: known.code, reason: message }, 'unavailable')
  else log.error({ err: error }, 'unexpected failure')
}

/** Headers for every answer that has not set its own. */
function secure(reply: FastifyReply, isHttps: boolean): void {
  const headers = reply.getHeaders()
  reply.header('x-content-type-options', 'nosniff')
  if (!headers['referrer-policy']) reply.header('referrer-policy', 'no-referrer')
  if (!headers['content-security-policy']) {
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  }
  reply.header('cross-origin-opener-policy', 'same-origin')
  reply.header('cross-origin-resource-policy', 'same-origin')
  if (isHttps) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}
