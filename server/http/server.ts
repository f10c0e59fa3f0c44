import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { parse as parseSearch } from 'fast-querystring'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type AppError, toAppError, toProblem } from './errors.ts'
import { logRequests, logSettings } from './log.ts'
import { securityHeaders } from './security-headers.ts'
import type { FastPath } from './fast-path.ts'

export interface ServerOptions {
  /** A pino level, or false for none. */
  log: string | false
  /** Where log lines go; standard output when left out. */
  logTo?: { write(line: string): void }
  /** Proxies, as addresses or ranges, whose X-Forwarded-* headers are believed. */
  trustProxy: string[]
  isHttps: boolean
  /** Answers what it can before the app is asked. */
  fastPath?: FastPath
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
    serverFactory: (fallthrough) => createNodeServer(fallthrough, options.fastPath),
    forceCloseConnections: 'idle',
    // Handlers check lengths themselves: a long slug is not found, like any other that names nothing.
    routerOptions: { maxParamLength: 16_384, querystringParser: parseSearch },
    rewriteUrl: ({ url = '/' }) => makeDecodable(url),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.removeContentTypeParser('text/plain')
  readJson(app)
  if (options.log) logRequests(app)
  const secure = Object.entries(securityHeaders(options.isHttps))
  let isClosing = false
  app.addHook('onSend', (request, reply, _payload, done) => {
    // What was asked before the end is answered, and its connection not kept: it would hold the end up.
    if (isClosing) reply.header('connection', 'close')
    // What a token was shown is nobody else's to keep.
    if (request.headers.authorization) reply.header('cache-control', 'no-store')
    for (const [name, value] of secure) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
  app.addHook('preClose', (done) => {
    isClosing = true
    options.fastPath?.disable()
    done()
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

/** Node's server with limits; a client that is slower is cut off. */
function createNodeServer(fallthrough: RequestListener, fastPath: FastPath | undefined): Server {
  const server = createHttpServer({ requestTimeout: 30_000 }, fastPath?.listener(fallthrough) ?? fallthrough)
  server.headersTimeout = 15_000
  server.keepAliveTimeout = 10_000
  server.setTimeout(60_000)
  return server
}
