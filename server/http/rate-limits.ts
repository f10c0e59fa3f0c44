import type pg from 'pg'
import type { FastifyRequest } from 'fastify'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import { ExchangedLimit } from './exchanged-limit.ts'
import { isInProcess } from './in-process.ts'
import { networkOf } from './network.ts'
import type { App } from './server.ts'

/** So many calls in so many seconds. */
export interface RateLimit {
  calls: number
  seconds: number
  /**
   * For all processes together either way. `at_once` asks the database with every call; `exchanged` lets no call wait, and
   * admits a few more for it.
   */
  counted: 'at_once' | 'exchanged'
}

export interface RateLimitOptions<Kind extends string> {
  pool: pg.Pool
  /** For all who call from one network. */
  perAddress: Record<Kind, RateLimit>
  /** For one member; a kind that is left out is limited by address alone. */
  perMember: Partial<Record<Kind, RateLimit>>
  /** Undefined is not limited. */
  kindOf: (request: FastifyRequest) => Kind | undefined
}

const tooMany = (seconds: number) =>
  new AppError('too_many_requests', 429, `That was too much at once. Please try again in ${seconds} s.`, {
    retryAfter: seconds,
  })

/** Takes one call or throws AppError `too_many_requests`. */
type Take = (key: string) => Promise<void> | void

interface Opened {
  take: Take
  exchanged?: ExchangedLimit
}

function openExchanged(name: string, { calls, seconds }: RateLimit, app: App, pool: pg.Pool): Opened {
  const exchanged = new ExchangedLimit({ pool, log: app.log, name, calls, seconds })
  app.addHook('onClose', () => exchanged.close())
  const take = (key: string) => {
    if (!exchanged.admit(key)) throw tooMany(exchanged.secondsToWait(key))
  }
  return { take, exchanged }
}

/** While the database is away each process counts for itself. */
function openAtOnce(name: string, { calls, seconds }: RateLimit, pool: pg.Pool): Opened {
  const settings = { keyPrefix: name, points: calls, duration: seconds }
  const limiter = new RateLimiterPostgres({
    ...settings,
    // Its statements have names, which no pooler in transaction mode bears.
    storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // Once past the limit nothing more is asked of the database until the time is over.
    inMemoryBlockOnConsumed: calls + 1,
    insuranceLimiter: new RateLimiterMemory(settings),
  })
  return { take: (key) => consume(limiter, key) }
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    throw refusal
  }
}

export interface RateLimits<Kind extends string> {
  /** What guards call once they know the member. */
  onMember: (memberId: number, request: FastifyRequest) => Promise<void>
  /** The limit of one kind by network (`networkOf`), where it is exchanged: for what answers before any hook is run. */
  findExchanged: (kind: Kind) => ExchangedLimit | undefined
}

/** Refuses with AppError `too_many_requests` who calls too often, by address before anything else is done. */
export function registerRateLimits<Kind extends string>(app: App, options: RateLimitOptions<Kind>): RateLimits<Kind> {
  const { pool, perAddress, perMember, kindOf } = options
  const open = (prefix: string, figures: Partial<Record<Kind, RateLimit>>) =>
    new Map(
      Object.entries<RateLimit>(figures as Record<string, RateLimit>).map(([kind, figure]) => {
        const name = `${prefix} ${kind}`
        const opened =
          figure.counted === 'exchanged' ? openExchanged(name, figure, app, pool) : openAtOnce(name, figure, pool)
        return [kind, opened]
      }),
    )
  const byAddress = open('address', perAddress)
  const byMember = open('member', perMember)

  app.addHook('onRequest', async (request) => {
    const kind = isInProcess(request) ? undefined : kindOf(request)
    if (kind) await byAddress.get(kind)?.take(networkOf(request.ip))
  })
  return {
    onMember: async (memberId, request) => {
      const kind = kindOf(request)
      if (kind) await byMember.get(kind)?.take(String(memberId))
    },
    findExchanged: (kind) => byAddress.get(kind)?.exchanged,
  }
}
