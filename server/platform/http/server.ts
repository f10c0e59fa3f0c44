import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse as parseSearch } from 'fast-querystring'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { currentWork, type Work } from '#server/platform/db/current-work.ts'
import { type AppError, toAppError, toProblem } from './errors.ts'
import type { App } from './app.ts'
import type { FastPath } from './fast-path.ts'
import { collectRoutes, type ExplainNoRoute } from './allowed-methods.ts'
import { BodyBudget } from './body-budget.ts'
import { addJsonParser } from './json-body.ts'
import { handleClientError, rejectExpectation, rejectMalformed } from './malformed-requests.ts'
import { rejectUnsupportedHeaders } from './request-headers.ts'
import { hasUnreadBody, leaveChunksUnread, respondWhileReceiving } from './unread-body.ts'
import { isV1, PROBLEM_JSON, toProblemDetails } from './v1.ts'

export interface ServerOptions {
  /** A pino level, or false for no log. */
  log: string | false
  logTo?: { write(line: string): void }
  /** Proxies, as addresses or ranges, whose X-Forwarded-* headers are trusted. */
  trustProxy: string[]
  isHttps: boolean
  fastPath?: FastPath
  bodyBudget?: BodyBudget
  timeouts?: Timeouts
}

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on responses ask clients to close their connections. */
    endKeepAlive: () => void
    explainNoRoute: ExplainNoRoute
  }
  interface FastifyRequest {
    work: Work
  }
}

/** Operations that need more declare it. */
const MAX_BODY_BYTES = 65_536

const rejectSchema = () => () => {
  throw new Error('Routes have no schemas for Fastify. Operations validate requests, see operations.ts.')
}
/** Fastify's own, which are not used, take a tenth of the time to load that the server takes. */
const NO_COMPILERS = { buildValidator: rejectSchema, buildSerializer: rejectSchema }

/** A Fastify server that is independent of the product. */
export function createServer(options: ServerOptions): App {
  const app: App = Fastify({
    logger: options.log ? logSettings(options.log, options.logTo) : false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (fallthrough) => createNodeServer(fallthrough, options),
    clientErrorHandler: handleClientError(securityHeaders(options.isHttps)),
    forceCloseConnections: 'idle',
    // Handlers check lengths themselves: a slug that is too long is a 404, like any unknown slug.
    routerOptions: { maxParamLength: 16_384, querystringParser: parseSearch },
    schemaController: { compilersFactory: NO_COMPILERS },
    rewriteUrl: ({ url = '/' }) => makeDecodable(url),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  app.decorate('explainNoRoute', collectRoutes(app))
  app.removeContentTypeParser('text/plain')
  rejectUnsupportedHeaders(app)
  addJsonParser(app, options.bodyBudget ?? new BodyBudget())
  if (options.log) logRequests(app)
  trackWork(app)
  const headers = Object.entries(securityHeaders(options.isHttps))
  let isClosing = false
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Closing waits for open connections, so keep-alive is turned off.
    if (isClosing) reply.header('connection', 'close')
    // A response to a signed-in member must not be stored by shared caches.
    if (request.headers.authorization) reply.header('cache-control', 'no-store')
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
  app.decorate('endKeepAlive', () => {
    isClosing = true
    options.fastPath?.disable()
  })
  app.addHook('preClose', (done) => {
    app.endKeepAlive()
    done()
  })
  app.setErrorHandler((error: Error, request, reply) => sendError(error, request, reply))
  return app
}

/** Waits until clients have closed their connections or were idle: closing at once could lose a request on its way. */
export async function drain(app: App): Promise<void> {
  app.endKeepAlive()
  // Unlike the method of HTTP servers, this one leaves idle connections open.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(app.server, () => resolve()))
  await Promise.race([closed, sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })])
}

/** Default headers of every response; a response that sets one of them keeps its own value. */
export function securityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** Makes the path of an undecodable URL a 404 instead of a 400. Query strings stay: they are parsed leniently. */
export function makeDecodable(url: string): string {
  if (!url.includes('%')) return url
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** Seconds by status, for errors without a time of their own. */
const RETRY_AFTER: Record<number, number> = { 429: 2, 503: 2 }

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const appError = toAppError(error)
  if (appError.status >= 500) logError(request.log, error, appError)
  const retryAfter = appError.details.retryAfter ?? RETRY_AFTER[appError.status]
  if (retryAfter) reply.header('retry-after', retryAfter)
  reply.code(appError.status).header('cache-control', 'no-store')
  if (appError.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.headers(appError.details.headers ?? {})
  const problem = isV1(request) ? toProblemDetails(appError) : toProblem(appError)
  const text = JSON.stringify(problem)
  reply.type(isV1(request) ? PROBLEM_JSON : 'application/json; charset=utf-8')
  if (!hasUnreadBody(request.raw)) return reply.send(text)
  // Fastify closes the connection after a body that it could not read.
  reply.removeHeader('connection')
  return reply.header('content-length', Buffer.byteLength(text)).send(respondWhileReceiving(request.raw, text))
}

function logError(log: FastifyBaseLogger, error: Error, { status, code }: AppError): void {
  const { message } = error.cause instanceof Error ? error.cause : error
  if (status === 503) log.warn({ code, reason: message }, 'service unavailable')
  else log.error({ err: error }, 'request failed')
}

// Headers, query strings and bodies stay out of the log.
function logSettings(
  level: string,
  stream?: { write(line: string): void },
): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    ...(stream ? { stream } : {}),
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        message: error.message,
        stack: error.stack ?? '',
        code: error.code,
      }),
    },
  }
}

function logRequests(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

/** Makes each request the current work of the code that serves it. Call it before hooks that query the database. */
function trackWork(app: App): void {
  app.decorateRequest('work')
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    request.work = { name: `${method} ${routeOptions.url ?? 'none'}`, parent: currentWork.getStore() }
    currentWork.run(request.work, done)
  })
  // The body was read by events of the connection, which belong to no request.
  app.addHook('preValidation', ({ work }, _reply, done) => currentWork.run(work, done))
}

export interface Timeouts {
  headersMs: number
  requestMs: number
  /** How often Node compares connections with these limits. */
  checkMs: number
}

const TIMEOUTS: Timeouts = { headersMs: 15_000, requestMs: 30_000, checkMs: 2000 }

const KEEP_ALIVE_TIMEOUT_MS = 10_000
/** Node closes an idle connection a second after the time that clients learn. */
const DRAIN_TIMEOUT_MS = KEEP_ALIVE_TIMEOUT_MS + 2000

function createNodeServer(fallthrough: RequestListener, { fastPath, isHttps, timeouts }: ServerOptions): Server {
  const { headersMs, requestMs, checkMs } = timeouts ?? TIMEOUTS
  const headers = securityHeaders(isHttps)
  const settings = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requireHostHeader: false,
  }
  const listener = rejectMalformed(fastPath?.listener(fallthrough) ?? fallthrough, headers)
  const server = createHttpServer(settings, leaveChunksUnread(listener))
  server.on('checkExpectation', rejectExpectation(headers))
  server.setTimeout(60_000)
  return server
}
