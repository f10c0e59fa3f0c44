import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

const POLL_MS = 400
const RETRY_MS = 1000
const CHECK_CLOCK_EVERY_MS = 1000
/**
 * After a failed read, the changes of this time are delivered again. A replica that was promoted and a server that has recovered
 * may assign ids of transactions that were lost a second time, below the position; none of them is older than a few WAL flushes.
 */
const REPEAT_MS = 5000
const CLEAN_EVERY_MS = 10 * 60_000
/** After this time without a read, the follower starts over: changes are deleted after an hour. */
const LOST_AFTER_MS = 30 * 60_000

interface FeedListener {
  changed(scriptIds: number[]): void
  lost(): void
}

/** All changes before `position` have been delivered, and those of `findElapsedScripts` until `returnedUntil`. */
export interface FeedCheckpoint {
  position: FeedPosition
  /** By the database's clock. */
  returnedUntil: string
}

/** Polls the change feed and delivers changes to one listener. */
export class FeedFollower {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  readonly #listener: FeedListener
  #position: FeedPosition | undefined
  /** Positions of the last seconds, oldest first. */
  #recent: { position: FeedPosition; readAt: number }[] = []
  #timer: NodeJS.Timeout | undefined
  #readAt = Date.now()
  #clockCheckedAt = Date.now()
  #returnedUntil = ''
  #cleanedAt = Date.now()
  #isClosed = false
  #early: ReadonlyMap<string, number> = new Map()
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, log: FastifyBaseLogger, listener: FeedListener) {
    this.#db = db
    this.#log = log
    this.#listener = listener
  }

  async start(): Promise<void> {
    this.#position = await findFeedEnd(this.#db)
    this.#remember(this.#position)
    this.#returnedUntil = await readClock(this.#db)
    this.#schedule(POLL_MS)
  }

  get checkpoint(): FeedCheckpoint | undefined {
    return this.#position && { position: this.#position, returnedUntil: this.#returnedUntil }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#tick()
    }, ms)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    try {
      if (Date.now() - this.#readAt > LOST_AFTER_MS) await this.#startOver()
      await this.#read()
      await this.#deliverEarly()
      await this.#deliverElapsed()
      await this.#clean()
      this.#schedule(POLL_MS)
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'change feed read failed')
      this.#rewind()
      this.#schedule(RETRY_MS)
    }
  }

  async #startOver(): Promise<void> {
    this.#position = await findFeedEnd(this.#db)
    this.#recent = []
    this.#listener.lost()
  }

  async #read(): Promise<void> {
    for (;;) {
      const page = await readFeed(this.#db, this.#position ?? (await findFeedEnd(this.#db)))
      this.#readAt = Date.now()
      if (page.scriptIds.length > 0) this.#listener.changed(page.scriptIds)
      this.#position = page.position
      if (page.isLast) return this.#remember(page.position)
    }
  }

  #remember(position: FeedPosition): void {
    this.#recent.push({ position, readAt: this.#readAt })
    const isObsolete = (next?: { readAt: number }) => next !== undefined && next.readAt <= this.#readAt - REPEAT_MS
    while (isObsolete(this.#recent[1])) this.#recent.shift()
  }

  #rewind(): void {
    this.#recent.length = Math.min(this.#recent.length, 1)
    this.#position = this.#recent[0]?.position ?? this.#position
  }

  async #deliverEarly(): Promise<void> {
    const early = await findEarlyChanges(this.#db)
    const ids = [...early].filter(([key]) => !this.#early.has(key)).map(([, id]) => id)
    this.#early = early
    if (ids.length > 0) this.#listener.changed(ids)
  }

  async #deliverElapsed(): Promise<void> {
    if (Date.now() - this.#clockCheckedAt < CHECK_CLOCK_EVERY_MS) return
    this.#clockCheckedAt = Date.now()
    const now = await readClock(this.#db)
    const ids = await findElapsedScripts(this.#db, this.#returnedUntil, now)
    if (ids.length > 0) this.#listener.changed(ids)
    this.#returnedUntil = now
  }

  async #clean(): Promise<void> {
    if (Date.now() - this.#cleanedAt < CLEAN_EVERY_MS) return
    this.#cleanedAt = Date.now()
    await removeOldChanges(this.#db)
  }
}

interface FeedPosition {
  transactionId: string
  sequence: number
}

const BATCH = 10_000

/** The current end of the feed: every later change has a higher position. */
export async function findFeedEnd(db: Database): Promise<FeedPosition> {
  const { rows } = await sql<{ end: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as end`.execute(db)
  return { transactionId: rows[0]?.end ?? '0', sequence: -1 }
}

interface FeedPage {
  position: FeedPosition
  scriptIds: number[]
  isLast: boolean
}

/**
 * The next changes after a position. Stops at the oldest running transaction (the xmin horizon), because rows with lower
 * positions could still appear after it. Once all changes are read, the position is that horizon.
 */
export async function readFeed(db: Database, after: FeedPosition): Promise<FeedPage> {
  const { rows } = await sql<{ horizon: string; transaction_id: string; sequence: number; script_id: number | null }>`
    select now.horizon::text as horizon, c.transaction_id::text as transaction_id, c.sequence, c.script_id
    from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) now
    left join lateral (
      select * from catalogue_changes where (transaction_id, sequence) > (${after.transactionId}::xid8, ${after.sequence})
        and transaction_id < now.horizon
      order by transaction_id, sequence limit ${BATCH}
    ) c on true
    order by c.transaction_id, c.sequence`.execute(db)
  const [last] = rows.slice(-1)
  const isLast = rows.length < BATCH
  return {
    position: isLast
      ? { transactionId: last?.horizon ?? after.transactionId, sequence: -1 }
      : { transactionId: last?.transaction_id ?? '0', sequence: last?.sequence ?? -1 },
    scriptIds: rows.flatMap((row) => row.script_id ?? []),
    isLast,
  }
}

/** Changes past the xmin horizon, delivered early to keep lists fresh. `readFeed` will deliver them again. */
async function findEarlyChanges(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; script_id: number }>`
    select transaction_id::text || '/' || sequence as key, script_id from catalogue_changes
    where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
      and changed_at > now() - interval '10 seconds'`.execute(db)
  return new Map(rows.map((row) => [row.key, row.script_id]))
}

/** Scripts of all recent visible changes, including those past the xmin horizon. */
export async function findRecentChanges(db: Database): Promise<number[]> {
  const { rows } = await sql<{ script_id: number }>`select distinct script_id from catalogue_changes
    where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
      or changed_at > now() - interval '1 minute'`.execute(db)
  return rows.map((row) => row.script_id)
}

/** The database's clock as text, because JavaScript dates have no microseconds. */
export async function readClock(db: Database): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()::text as now`.execute(db)
  return rows[0]?.now ?? '-infinity'
}

/**
 * Scripts that changed in this period without a write, so that the feed has no row: the author's ban ended, votes no longer
 * say that the script works, or votes left the counts of the last week.
 */
export async function findElapsedScripts(db: Database, from: string, to: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.id from scripts s join members m on m.id = s.author_id
      where m.banned_until > ${from}::timestamptz and m.banned_until <= ${to}::timestamptz
    union
    select script_id from script_stats where works_until > ${from}::timestamptz and works_until <= ${to}::timestamptz
    union
    select script_id from works_votes
      where voted_at > ${from}::timestamptz - interval '7 days' and voted_at <= ${to}::timestamptz - interval '7 days'
  `.execute(db)
  return rows.map((row) => row.id)
}

/** Removes changes older than an hour. A process that has not read them starts over. */
export async function removeOldChanges(db: Database): Promise<void> {
  await sql`with gone as (
      delete from catalogue_changes where changed_at < now() - interval '1 hour' returning transaction_id
    ), newest as (
      select transaction_id from gone order by transaction_id desc limit 1
    )
    update catalogue_feed set deleted_through = greatest(deleted_through, newest.transaction_id) from newest`.execute(
    db,
  )
}

export async function canReadFrom(db: Database, position: FeedPosition): Promise<boolean> {
  const { rows } = await sql<{ is_whole: boolean }>`
    select ${position.transactionId}::xid8 > deleted_through
      and ${position.transactionId}::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) as is_whole
    from catalogue_feed`.execute(db)
  return rows[0]?.is_whole ?? false
}
