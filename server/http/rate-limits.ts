import type pg from 'pg'
import type { FastifyRequest } from 'fastify'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import { isInProcess } from './in-process.ts'
import { networkOf } from './network.ts'
import type { App } from './server.ts'

/** So many calls in so many seconds. */
export interface Figure {
  calls: number
  seconds: number
  /** Counted in the database, for all processes together; else in each process for itself. */
  isShared: boolean
}

export interface RateLimitOptions<Kind extends string> {
  pool: pg.Pool
  /** For all who call from one network. */
  perAddress: Record<Kind, Figure>
  /** For one member; a kind that is left out is limited by address alone. */
  perMember: Partial<Record<Kind, Figure>>
  /** Undefined is not limited. */
  kindOf: (request: FastifyRequest) => Kind | undefined
}

const tooMany = (seconds: number) =>
  new AppError('too_many_requests', 429, `That was too much at once. Please try again in ${seconds} s.`, {
    retryAfter: seconds,
  })

/** While the database is away each process counts for itself. */
function openLimiter(name: string, { calls, seconds, isShared }: Figure, pool: pg.Pool): RateLimiterAbstract {
  const settings = { keyPrefix: name, points: calls, duration: seconds }
  const own = new RateLimiterMemory(settings)
  if (!isShared) return own
  return new RateLimiterPostgres({
    ...settings,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // Once past the limit nothing more is asked of the database until the time is over.
    inMemoryBlockOnConsumed: calls + 1,
    insuranceLimiter: own,
  })
}

async function consume(limiter: RateLimiterAbstract | undefined, key: string): Promise<void> {
  try {
    await limiter?.consume(key)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    throw refusal
  }
}

/**
 * Refuses with AppError `too_many_requests` who calls too often, by address before anything else is done. Gives what
 * guards call once they know the member.
 */
export function registerRateLimits<Kind extends string>(app: App, options: RateLimitOptions<Kind>) {
  const { pool, perAddress, perMember, kindOf } = options
  const open = (prefix: string, figures: Partial<Record<Kind, Figure>>) =>
    new Map(
      Object.entries<Figure>(figures as Record<string, Figure>).map(([kind, figure]) => {
        return [kind, openLimiter(`${prefix} ${kind}`, figure, pool)]
      }),
    )
  const byAddress = open('address', perAddress)
  const byMember = open('member', perMember)

  app.addHook('onRequest', async (request) => {
    const kind = isInProcess(request) ? undefined : kindOf(request)
    if (kind) await consume(byAddress.get(kind), networkOf(request.ip))
  })
  return async (memberId: number, request: FastifyRequest): Promise<void> => {
    const kind = kindOf(request)
    if (kind) await consume(byMember.get(kind), String(memberId))
  }
}
