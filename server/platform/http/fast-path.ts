import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyBaseLogger } from 'fastify'
import { type CachedResponse, selectRepresentation, validatorsOf } from './cached-response.ts'

export interface Visitor {
  ip: string
  headers: IncomingMessage['headers']
}

export interface FastRoute {
  /** Response headers of this route, in addition to those of the whole site. */
  headers: Readonly<Record<string, string>>
  /** A function that returns or loads the response for a URL; undefined if the app has to handle the request. */
  find(url: string): (() => CachedResponse | Promise<CachedResponse>) | undefined
  onServed?(url: string, visitor: Visitor): void
}

interface FastPathOptions {
  headers: Readonly<Record<string, string>>
  trustProxy: readonly string[]
}

interface Enabled {
  log: FastifyBaseLogger
  /** Counts one request of an address; false if it exceeds the limit. */
  admit(ip: string): boolean
  record?:
    | ((method: string, route: string, status: number, seconds: number, request: IncomingMessage) => void)
    | undefined
}

/**
 * Serves cached responses past the framework: GET without a token, where the response is the same for everybody. Everything
 * else falls through to the app, which sends the same responses, only slower.
 */
export class FastPath {
  readonly #headers: Readonly<Record<string, string>>
  readonly #findIp: (request: IncomingMessage) => string
  readonly #routes = new Map<string, Route>()
  readonly #prefixes = new Map<string, Route>()
  #defaultRoute: Route | undefined
  #enabled: Enabled | undefined
  readonly #queue = new FlushQueue<[PendingResponse, CachedResponse]>(
    (item) => this.#respond(...item),
    (error, [pending]) => this.#fail(error, pending),
  )

  constructor({ headers, trustProxy }: FastPathOptions) {
    this.#headers = headers
    const trust = proxyAddr.compile([...trustProxy])
    this.#findIp =
      trustProxy.length > 0 ? (request) => proxyAddr(request, trust) : (request) => request.socket.remoteAddress ?? ''
  }

  add(path: string | undefined, route: FastRoute): void {
    if (path === undefined) this.#defaultRoute = this.#prepare('/*', route)
    else this.#routes.set(path, this.#prepare(path, route))
  }

  /** Adds a route for all paths that start with a segment, such as `/badge/`. */
  addPrefix(prefix: string, route: FastRoute): void {
    this.#prefixes.set(prefix, this.#prepare(`${prefix}*`, route))
  }

  #prepare(pattern: string, route: FastRoute): Route {
    return { ...route, pattern, fixedHeaders: Object.entries({ ...this.#headers, ...route.headers }).flat() }
  }

  #findRoute(url: string): Route | undefined {
    const queryStart = url.indexOf('?')
    const path = queryStart < 0 ? url : url.slice(0, queryStart)
    const segmentEnd = path.indexOf('/', 1)
    const prefix = segmentEnd < 0 ? undefined : this.#prefixes.get(path.slice(0, segmentEnd + 1))
    return this.#routes.get(path) ?? prefix ?? this.#defaultRoute
  }

  /** Before this call and after `disable`, every request falls through. */
  enable(enabled: Enabled): void {
    this.#enabled = enabled
  }

  disable(): void {
    this.#enabled = undefined
  }

  listener(fallthrough: RequestListener): RequestListener {
    return (request, response) => {
      const { method, url = '/', headers } = request
      if (!this.#enabled || method !== 'GET' || headers.authorization !== undefined) {
        return fallthrough(request, response)
      }
      const startedAt = performance.now()
      const route = this.#findRoute(url)
      const load = route?.find(url)
      if (!route || !load) return fallthrough(request, response)
      const ip = this.#findIp(request)
      if (!this.#enabled.admit(ip)) return fallthrough(request, response)
      const enqueue = (cached: CachedResponse) =>
        this.#queue.add([{ request, response, route, url, ip, startedAt, fallthrough }, cached])
      const loaded = tryCall(load)
      if (!loaded) return fallthrough(request, response)
      if (loaded instanceof Promise) loaded.then(enqueue, () => fallthrough(request, response))
      else enqueue(loaded)
    }
  }

  #respond({ request, response, route, url, ip, startedAt }: PendingResponse, cached: CachedResponse): void {
    const { status, body, encoding } = selectRepresentation(cached, request.headers)
    const headers = body
      ? cached.headers(route.fixedHeaders, encoding, body.length)
      : [...route.fixedHeaders, ...validatorsOf(cached)]
    // Without `#enabled`, the server is closing, which waits for open connections.
    response.writeHead(status, this.#enabled ? (headers as string[]) : [...headers, 'connection', 'close'])
    response.end(body)
    route.onServed?.(url, { ip, headers: request.headers })
    const ms = performance.now() - startedAt
    this.#enabled?.record?.('GET', route.pattern, status, ms / 1000, request)
    this.#enabled?.log.info(
      { method: 'GET', path: url.split('?', 1)[0], status, ms: Math.round(ms * 10) / 10 },
      'request',
    )
  }

  #fail(error: unknown, { request, response, fallthrough }: PendingResponse): void {
    this.#enabled?.log.error({ err: error }, 'fast path failed')
    if (!response.headersSent) fallthrough(request, response)
    else if (!response.writableEnded) response.destroy()
  }
}

/** Undefined if it throws: the app will fail too, and sends the error. */
function tryCall<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

interface Route extends FastRoute {
  /** With `*` for variable parts. */
  pattern: string
  /** Names and values in turn, the form that node:http sends fastest. */
  fixedHeaders: readonly string[]
}

interface PendingResponse {
  request: IncomingMessage
  response: ServerResponse
  route: Route
  url: string
  ip: string
  startedAt: number
  /** Passes the request to the app. */
  fallthrough: RequestListener
}

const MAX_QUEUED = 32

/**
 * Handles the items of one turn of the event loop together, at most 32: responses written right after each other wake up a
 * waiting client once, which is most of the cost of a write (Netty's FlushConsolidationHandler does the same).
 */
export class FlushQueue<T> {
  readonly #handle: (item: T) => void
  readonly #onError: (error: unknown, item: T) => void
  #queued: T[] = []

  /** `onError` must not throw: it gets what `handle` throws for an item, and the other items are handled all the same. */
  constructor(handle: (item: T) => void, onError: (error: unknown, item: T) => void) {
    this.#handle = handle
    this.#onError = onError
  }

  add(item: T): void {
    const count = this.#queued.push(item)
    if (count === 1) setImmediate(this.#flush)
    else if (count === MAX_QUEUED) this.#flush()
  }

  readonly #flush = (): void => {
    const items = this.#queued
    this.#queued = []
    for (const item of items) {
      try {
        this.#handle(item)
      } catch (error) {
        this.#onError(error, item)
      }
    }
  }
}
