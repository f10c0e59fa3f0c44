import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyBaseLogger } from 'fastify'
import { FlushQueue } from './flush-queue.ts'
import { type CachedResponse, selectRepresentation } from './cached-response.ts'
import { securityHeaders } from './security-headers.ts'

/** Who was answered. */
export interface Visitor {
  ip: string
  headers: IncomingMessage['headers']
}

export interface FastRoute {
  /** What each of its answers says besides what every answer says. */
  headers: Readonly<Record<string, string>>
  /** What makes the answer to a visitor at this address; undefined when that is not plain. */
  find(url: string): (() => CachedResponse | Promise<CachedResponse>) | undefined
  onServed?(url: string, visitor: Visitor): void
}

interface Opened {
  log: FastifyBaseLogger
  /** Counts one call from an address; false for one too many. */
  admit(ip: string): boolean
}

/**
 * The short way from a socket to finished bytes, past the framework. It is for GET without a token, where the answer is
 * the same for everybody. Whatever else it meets (a refusal, a failure, an address it does not know) goes the long way,
 * through the app, whose answers are the same: this one only takes less work.
 */
export class FastPath {
  readonly #always: Readonly<Record<string, string>>
  readonly #findIp: (request: IncomingMessage) => string
  readonly #routes = new Map<string, Route>()
  #others: Route | undefined
  #opened: Opened | undefined
  readonly #answers = new FlushQueue<[PendingResponse, CachedResponse]>(([given, finished]) =>
    this.#respond(given, finished),
  )

  constructor({ isHttps, trustProxy }: { isHttps: boolean; trustProxy: readonly string[] }) {
    this.#always = securityHeaders(isHttps)
    const trust = proxyAddr.compile([...trustProxy])
    this.#findIp =
      trustProxy.length > 0 ? (request) => proxyAddr(request, trust) : (request) => request.socket.remoteAddress ?? ''
  }

  /** For one path, or for all that have no route of their own. */
  add(path: string | undefined, route: FastRoute): void {
    const added = { ...route, fixed: Object.entries({ ...this.#always, ...route.headers }).flat() }
    if (path === undefined) this.#others = added
    else this.#routes.set(path, added)
  }

  /** Before this, and after `close`, all goes the long way. */
  enable(opened: Opened): void {
    this.#opened = opened
  }

  disable(): void {
    this.#opened = undefined
  }

  /** The server's listener: this way where it can, else `fallthrough`. */
  listener(fallthrough: RequestListener): RequestListener {
    return (request, response) => {
      const { method, url = '/', headers } = request
      if (!this.#opened || method !== 'GET' || headers.authorization !== undefined)
        return fallthrough(request, response)
      const started = performance.now()
      const mark = url.indexOf('?')
      const route = this.#routes.get(mark < 0 ? url : url.slice(0, mark)) ?? this.#others
      const make = route?.find(url)
      if (!route || !make) return fallthrough(request, response)
      const ip = this.#findIp(request)
      if (!this.#opened.admit(ip)) return fallthrough(request, response)
      const give = (finished: CachedResponse) =>
        this.#answers.add([{ request, response, route, url, ip, started }, finished])
      const made = attempt(make)
      if (!made) return fallthrough(request, response)
      if (made instanceof Promise) made.then(give, () => fallthrough(request, response))
      else give(made)
    }
  }

  #respond({ request, response, route, url, ip, started }: PendingResponse, finished: CachedResponse): void {
    const { headers } = request
    const { status, body, encoding } = selectRepresentation(finished, headers)
    const named = [...route.fixed, 'etag', finished.etag, 'vary', 'accept-encoding']
    if (body) named.push('content-type', finished.contentType, 'content-length', String(body.length))
    if (encoding) named.push('content-encoding', encoding)
    // Asked before the end began: its connection would hold the end up.
    if (!this.#opened) named.push('connection', 'close')
    response.writeHead(status, named)
    response.end(body)
    route.onServed?.(url, { ip, headers })
    const ms = Math.round((performance.now() - started) * 10) / 10
    this.#opened?.log.info({ method: 'GET', path: url.split('?', 1)[0], status, ms }, 'request')
  }
}

/** Undefined when it fails: the long way fails too then, and says how. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

interface Route extends FastRoute {
  /** Names and values in turn, as node:http takes them quickest. */
  fixed: readonly string[]
}

interface PendingResponse {
  request: IncomingMessage
  response: ServerResponse
  route: Route
  url: string
  ip: string
  started: number
}
