// The stable API below /api/v1: what its responses have in addition to those of the operations.
import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deprecation, Operation, StableRoute } from '#contract/operation.ts'
import { type AppError, toProblem } from './errors.ts'
import { matchesEtag } from './etag.ts'
import type { App } from './app.ts'
import { unknownField, unknownParameter } from './validation.ts'

const PREFIX = '/api/v1/'

export const isV1 = ({ url }: Pick<FastifyRequest, 'url'>): boolean => url.startsWith(PREFIX)

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8'

/** An error as problem details (RFC 9457), with the fields of other errors. */
export function toProblemDetails(error: AppError): object {
  const words = error.code.replaceAll('_', ' ')
  return {
    type: `/api/docs#error-${error.code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1) || STATUS_CODES[error.status],
    status: error.status,
    detail: error.message,
    ...toProblem(error),
    ...(error.details.retryAfter ? { retry_after: error.details.retryAfter } : {}),
  }
}

export interface Alias {
  method: string
  /** With `:name` for parts of the path. */
  url: string
  deprecated: Deprecation | undefined
  /** Throws AppError `invalid` for parameters that the stable API does not have. */
  restrict: (request: FastifyRequest) => void
  readQuery: (request: FastifyRequest) => Record<string, unknown>
  readBody: (request: FastifyRequest) => unknown
}

/** The route of an operation in the stable API. */
export function toAlias(
  { query: parameters }: Operation,
  { route, path = {}, omit = [], deprecated }: StableRoute,
): Alias {
  const [method = '', url = ''] = route.split(' ')
  const isInQuery = (field: string) => parameters?.properties[field] !== undefined
  const inBody = Object.entries(path).filter(([, field]) => !isInQuery(field))
  const inQuery = Object.entries(path).filter(([, field]) => isInQuery(field))
  return {
    method,
    url: url.replaceAll(/\{(\w+)\}/g, ':$1'),
    deprecated,
    restrict: ({ query }) => {
      const hidden = [...omit, ...inQuery.map(([, field]) => field)]
      const unknown = hidden.find((field) => Object.hasOwn(query as object, field))
      if (unknown !== undefined) throw unknownParameter(unknown)
    },
    readQuery: (request) => ({ ...(request.query as object), ...readPath(request, inQuery) }),
    readBody: (request) => {
      if (inBody.length === 0) return request.body
      const body: object = request.body ?? {}
      const unknown = inBody.find(([, field]) => Object.hasOwn(body, field))
      if (unknown) throw unknownField(unknown[1])
      return { ...body, ...readPath(request, inBody) }
    },
  }
}

function readPath({ params, server }: FastifyRequest, parts: [string, string][]): Record<string, unknown> {
  const values = params as Record<string, string>
  return Object.fromEntries(
    parts.map(([part, field]) => {
      const text = values[part] ?? ''
      if (part !== 'slug') return [field, text]
      // The id alone is accepted, too.
      const slug = /^\d+$/.test(text) ? `-${text}` : text
      return [field, field === 'slug' ? slug : server.readSlug(slug)]
    }),
  )
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const EXPOSED = 'ETag, RateLimit, RateLimit-Policy, Retry-After, Location, Deprecation, Sunset, Link'

/** The id at the end of a slug in a path. Throws AppError. */
type ReadSlug = (slug: string) => number

declare module 'fastify' {
  interface FastifyInstance {
    readSlug: ReadSlug
  }
  interface FastifyContextConfig {
    deprecated?: Deprecation | undefined
  }
  interface FastifyRequest {
    rateLimits?: { name: string; calls: number; seconds: number; remaining: number; resetMs: number }[]
  }
}

/** Adds CORS, limits, deprecation and ETags to the responses of the stable API, and answers unknown paths below it. */
export function registerV1(app: App, { readSlug }: { readSlug: ReadSlug }): void {
  app.decorate('readSlug', readSlug)
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isV1(request)) return payload
    // Pages of any origin may read what visitors see. Without credentials: there are no cookies, and tokens are not admitted.
    if (READS.has(request.method)) {
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': EXPOSED,
        'cross-origin-resource-policy': 'cross-origin',
      })
    }
    reply.headers(describeLimits(request))
    const { deprecated } = request.routeOptions.config
    if (deprecated) reply.headers(describeDeprecation(deprecated))
    return addEtag(request, reply, payload)
  })
  app.options(`${PREFIX}*`, (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'If-None-Match',
        'access-control-max-age': '86400',
      })
      .code(204)
      .send(),
  )
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${PREFIX}*`,
    onRequest: async (request) => {
      throw app.explainNoRoute(request)
    },
    handler: () => undefined,
  })
}

/** `RateLimit` and `RateLimit-Policy`, as draft-ietf-httpapi-ratelimit-headers describes them. */
function describeLimits({ rateLimits = [] }: FastifyRequest): Record<string, string> {
  if (rateLimits.length === 0) return {}
  return {
    'ratelimit-policy': rateLimits.map(({ name, calls, seconds }) => `"${name}";q=${calls};w=${seconds}`).join(', '),
    ratelimit: rateLimits
      .map(({ name, remaining, resetMs }) => `"${name}";r=${remaining};t=${Math.max(0, Math.ceil(resetMs / 1000))}`)
      .join(', '),
  }
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and links to the policy and the successor. */
export function describeDeprecation({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: [
      '</api/docs#versions>; rel="deprecation"; type="text/html"',
      ...(successor ? [`<${successor}>; rel="successor-version"`] : []),
    ].join(', '),
  }
}

/** Responses that no cache has made get an ETag, too; a client with a current copy gets a 304. */
function addEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!READS.has(request.method) || reply.statusCode !== 200 || typeof payload !== 'string') return payload
  if (reply.hasHeader('etag')) return payload
  const etag = `"${hash('sha1', payload, 'base64url')}"`
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  if (!matchesEtag(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}
