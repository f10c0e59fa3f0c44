import { isIPv4, isIPv6 } from 'node:net'
import type pg from 'pg'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import { isInProcess } from './in-process.ts'
import type { App } from './app.ts'

/** At most `calls` in `seconds`, counted in a fixed window that starts with the first call. */
export interface RateLimit {
  calls: number
  seconds: number
  /** `database` counts across all processes and costs a query per call. `memory` counts in each process alone. */
  counted: 'database' | 'memory'
}

export interface RateLimitOptions<Kind extends string> {
  pool: pg.Pool
  /** For all clients of one network (`networkOf`). */
  perAddress: Record<Kind, RateLimit>
  /** For one person, with or without an account; a kind that is left out is limited by address only. */
  perMember: Partial<Record<Kind, RateLimit>>
  /** For one API token, in addition to the limits of its member. */
  perToken: Partial<Record<Kind, RateLimit>>
  kindOf: (request: FastifyRequest) => Kind | undefined
}

export interface RateLimits<Kind extends string> {
  /** Throws AppError `too_many_requests`. */
  onPerson: (personId: number, request: FastifyRequest) => Promise<void>
  /** Throws AppError `too_many_requests`. */
  onToken: (tokenId: string, request: FastifyRequest) => Promise<void>
  /** The limit of one kind per network if it is counted in memory, for responses that skip the request hooks. */
  findMemoryLimit: (kind: Kind) => MemoryLimit | undefined
}

/** Limits every request by address before it is handled; throws AppError `too_many_requests`. */
export function registerRateLimits<Kind extends string>(app: App, options: RateLimitOptions<Kind>): RateLimits<Kind> {
  const { pool, perAddress, perMember, perToken, kindOf } = options
  const open = (prefix: string, limits: Partial<Record<Kind, RateLimit>>) =>
    new Map(
      Object.entries<RateLimit>(limits as Record<string, RateLimit>).map(([kind, limit]) => [
        kind,
        {
          ...limit,
          name: `${prefix}-${kind}`,
          counter:
            limit.counted === 'memory' ? new MemoryLimit(limit) : new DatabaseLimit(`${prefix} ${kind}`, limit, pool),
        },
      ]),
    )
  const count = async (limits: ReturnType<typeof open>, request: FastifyRequest, key: string) => {
    const limit = limits.get(kindOf(request) ?? '')
    if (!limit) return
    const { name, calls, seconds } = limit
    const report = ({ remaining, resetMs }: Usage) => {
      ;(request.rateLimits ??= []).push({ name, calls, seconds, remaining, resetMs })
    }
    await limit.counter.consume(key, report)
  }
  const byAddress = open('address', perAddress)
  const byMember = open('member', perMember)
  const byToken = open('token', perToken)

  app.addHook('onRequest', async (request) => {
    if (!isInProcess(request)) await count(byAddress, request, networkOf(request.ip))
  })
  return {
    onPerson: (personId, request) => count(byMember, request, String(personId)),
    onToken: (tokenId, request) => count(byToken, request, tokenId),
    findMemoryLimit: (kind) => {
      const counter = byAddress.get(kind)?.counter
      return counter instanceof MemoryLimit ? counter : undefined
    },
  }
}

export const tooManyRequests = (ms: number): AppError => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new AppError('too_many_requests', 429, `Too many requests. Please try again in ${seconds} s.`, {
    retryAfter: seconds,
  })
}

interface Usage {
  remaining: number
  resetMs: number
}

type Report = (usage: Usage) => void

/** More clients than this evict the one that called longest ago. */
const MAX_CLIENTS = 100_000

/** Unlike RateLimiterMemory, it needs no promise, for which the fast path does not wait, and its keys are bounded. */
export class MemoryLimit {
  readonly #calls: number
  readonly #windowMs: number
  readonly #windows: LRUCache<string, { calls: number; endsAt: number }>

  constructor({ calls, seconds }: Pick<RateLimit, 'calls' | 'seconds'>, maxClients = MAX_CLIENTS) {
    this.#calls = calls
    this.#windowMs = seconds * 1000
    // With `max`, the library allocates megabytes for all of them at once.
    this.#windows = new LRUCache({ maxSize: maxClients, sizeCalculation: () => 1 })
  }

  admit(key: string, now = Date.now()): boolean {
    const current = this.#windows.get(key)
    if (!current || current.endsAt <= now) {
      this.#windows.set(key, { calls: 1, endsAt: now + this.#windowMs })
      return true
    }
    if (current.calls >= this.#calls) return false
    current.calls++
    return true
  }

  /** Throws AppError `too_many_requests`. */
  consume(key: string, report?: Report, now = Date.now()): void {
    const isAdmitted = this.admit(key, now)
    const { calls, endsAt } = this.#windows.get(key) ?? { calls: this.#calls, endsAt: now }
    report?.({ remaining: this.#calls - calls, resetMs: endsAt - now })
    if (!isAdmitted) throw tooManyRequests(endsAt - now)
  }
}

/** Rate limit counted in the table `rate_limits`; in each process alone while the database is unavailable. */
class DatabaseLimit {
  readonly #limiter: RateLimiterAbstract

  constructor(name: string, { calls, seconds }: RateLimit, pool: pg.Pool) {
    const settings = { keyPrefix: name, points: calls, duration: seconds }
    this.#limiter = new RateLimiterPostgres({
      ...settings,
      // Without their names: a pooler in transaction mode does not support named prepared statements.
      storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      // A client past the limit costs no more queries until its window ends.
      inMemoryBlockOnConsumed: calls + 1,
      insuranceLimiter: new RateLimiterMemory(settings),
    })
  }

  /** Throws AppError `too_many_requests`. */
  async consume(key: string, report?: Report): Promise<void> {
    let isAdmitted = true
    const usage = await this.#limiter.consume(key).catch((error: unknown) => {
      if (!(error instanceof RateLimiterRes)) throw error
      isAdmitted = false
      return error
    })
    report?.({ remaining: Math.max(0, usage.remainingPoints), resetMs: usage.msBeforeNext })
    if (!isAdmitted) throw tooManyRequests(usage.msBeforeNext)
  }
}

/** Identifies a household or server: 64 bits of IPv6, or IPv4. Else 'unknown': clients can set X-Forwarded-For. */
export function networkOf(address: string): string {
  // Some proxies add the port.
  const [, bracketed, ipv4] = /^\[([^\]]*)\]|^([\d.]{7,15}):\d+$/.exec(address) ?? []
  const ip = bracketed ?? ipv4 ?? address
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return 'unknown'
  const mapped = findMappedIPv4(ip)
  if (mapped) return mapped
  const [head = '', tail = ''] = ip.split('::')
  const start = head ? head.split(':') : []
  const end = tail ? tail.split(':') : []
  const gap = ip.includes('::') ? Array.from({ length: 8 - start.length - end.length }, () => '0') : []
  return [...start, ...gap, ...end]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The IPv4 address of ::ffff:1.2.3.4, however it is written. */
function findMappedIPv4(ip: string): string | undefined {
  const [, dotted, high = '', low = ''] =
    /^(?:::|(?:0{1,4}:){1,5}:?)(?:0{1,4}:){0,4}ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(
      ip,
    ) ?? []
  if (dotted !== undefined || high === '') return dotted
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}
