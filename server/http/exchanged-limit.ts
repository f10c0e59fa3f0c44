import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

const EXCHANGE_MS = 1000
/** Rows of one exchange; who waits is counted in this process meanwhile. */
const MOST_ROWS = 1000
/** Callers known at once. The older half is forgotten for one more. */
const MOST_CALLERS = 100_000
/** Who has used less than this part of the limit here is not worth a row. */
const QUIET_PART = 60

interface Count {
  key: string
  /** By the clock of this process. */
  endsAt: number
  /** In all processes together, as the last exchange said. */
  known: number
  /** In this process since then. */
  own: number
}

export interface ExchangedLimitOptions {
  pool: pg.Pool
  log: FastifyBaseLogger
  /** What its rows begin with. */
  name: string
  calls: number
  seconds: number
  exchangeMs?: number
  mostRows?: number
  mostCallers?: number
}

/**
 * So many calls in so many seconds, from all processes of the site together, without a call that waits for the database:
 * each is counted here, and once a second the processes tell each other through a table what they have counted. What
 * comes within that second is admitted too often, by each process at most once the limit; while the database is away each
 * process counts for itself.
 */
export class ExchangedLimit {
  readonly #options: Required<ExchangedLimitOptions>
  readonly #quiet: number
  /** Those that were used lately, and those before. A map with its oldest taken out one by one gets slow to walk. */
  #counts = new Map<string, Count>()
  #former = new Map<string, Count>()
  #turnsAt = 0
  readonly #untold = new Set<Count>()
  #timer: NodeJS.Timeout | undefined
  #exchanging: Promise<void> = Promise.resolve()
  #isAway = false

  constructor(options: ExchangedLimitOptions) {
    this.#options = { exchangeMs: EXCHANGE_MS, mostRows: MOST_ROWS, mostCallers: MOST_CALLERS, ...options }
    this.#quiet = Math.max(1, Math.floor(options.calls / QUIET_PART))
  }

  /** Counts one call. False for one too many. */
  admit(key: string): boolean {
    const count = this.#find(key, Date.now())
    const all = count.known + count.own
    if (all >= this.#options.calls) return false
    count.own++
    if (all >= this.#quiet - 1 && !this.#untold.has(count)) this.#tellLater(count)
    return true
  }

  /** Whole seconds until who was refused may come again, at least one. */
  secondsToWait(key: string): number {
    const { endsAt = 0 } = this.#counts.get(key) ?? this.#former.get(key) ?? {}
    const left = endsAt - Date.now()
    return Math.max(1, Math.ceil(left / 1000))
  }

  /** How many callers are known. */
  get size(): number {
    return this.#counts.size + this.#former.size
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#exchanging
  }

  /** Exchanges what waits; by itself it does so a second after there is something. */
  exchange(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#exchanging = this.#exchanging.then(() => this.#exchangeSome())
    return this.#exchanging
  }

  #find(key: string, now: number): Count {
    const found = this.#counts.get(key)
    if (found && found.endsAt > now) return found
    if (!found && (now >= this.#turnsAt || this.#counts.size >= this.#options.mostCallers / 2)) this.#turn(now)
    const former = this.#former.get(key)
    const isKnown = former !== undefined && former.endsAt > now
    const count = isKnown ? former : { key, endsAt: now + this.#options.seconds * 1000, known: 0, own: 0 }
    this.#counts.set(key, count)
    return count
  }

  /** What was not used since the last turn goes. */
  #turn(now: number): void {
    this.#former = this.#counts
    this.#counts = new Map()
    this.#turnsAt = now + 2 * this.#options.seconds * 1000
  }

  #tellLater(count: Count): void {
    if (this.#untold.size < this.#options.mostCallers) this.#untold.add(count)
    this.#timer ??= setTimeout(() => void this.exchange(), this.#options.exchangeMs).unref()
  }

  async #exchangeSome(): Promise<void> {
    const now = Date.now()
    const taken = [...this.#untold.values().take(this.#options.mostRows)]
    for (const count of taken) this.#untold.delete(count)
    const told = taken.filter((count) => count.endsAt > now)
    if (told.length > 0) await this.#tell(told)
    if (this.#untold.size > 0) this.#timer ??= setTimeout(() => void this.exchange(), this.#options.exchangeMs).unref()
  }

  async #tell(counts: Count[]): Promise<void> {
    const { pool, log, name, seconds } = this.#options
    const sent = new Map(counts.map((count) => [`${name}:${count.key}`, { count, calls: count.own }]))
    try {
      const calls = [...sent.values()].map((each) => each.calls)
      const { rows } = await pool.query<Total>(EXCHANGE, [[...sent.keys()], calls, seconds * 1000])
      const now = Date.now()
      for (const { key, points, left } of rows) {
        const each = sent.get(key)
        if (!each) continue
        each.count.own -= each.calls
        each.count.known = points
        each.count.endsAt = now + left
      }
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) log.warn({ reason: (error as Error).message }, 'limits are counted in each process alone')
      this.#isAway = true
      for (const count of counts) this.#untold.add(count)
    }
  }
}

interface Total {
  key: string
  points: number
  /** Milliseconds until the count begins anew. */
  left: number
}

// Rows are taken in one order, so that processes do not lock each other out. The time is the database's.
const EXCHANGE = `with now as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms)
  insert into rate_limits as known (key, points, expire)
  select given.key, given.calls, now.ms + $3::int
    from now, unnest($1::text[], $2::int[]) as given (key, calls) order by given.key
  on conflict (key) do update set
    points = case when known.expire <= excluded.expire - $3::int then excluded.points
      else known.points + excluded.points end,
    expire = case when known.expire <= excluded.expire - $3::int then excluded.expire else known.expire end
  returning key, points, (expire - (select ms from now))::float8 as left`
