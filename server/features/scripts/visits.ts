import { createHash, createHmac } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { readScriptId } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Visitor } from '#server/platform/http/fast-path.ts'
import { networkOf } from '#server/platform/http/rate-limits.ts'
import { referrerHost } from './referrer.ts'

export type VisitKind = 'view' | 'download'

interface Visit {
  scriptId: number
  kind: VisitKind
  visitor: Buffer
  /** Host of the page that linked here; empty if unknown. */
  referrer: string
}

const FLUSH_MS = 2000
const CLEAN_EVERY_MS = 60 * 60_000
/** Further visits aren't counted, for example while the database is down. */
const MAX_WAITING = 50_000

/** Counts once per visitor and script in 24 hours. A queue in memory lets counting never delay a response. */
export class VisitCounter {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  #waiting = new Map<string, Visit>()
  #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()
  #cleanedAt = Date.now()

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS)
    this.#timer.unref()
  }

  count(scriptId: number, kind: VisitKind, visitor: Buffer, referrer = ''): void {
    const key = `${scriptId} ${kind} ${visitor.toString('base64')}`
    if (this.#waiting.size < MAX_WAITING || this.#waiting.has(key))
      this.#waiting.set(key, { scriptId, kind, visitor, referrer })
  }

  /** Writes the queued visits; they stay in the queue if the database fails. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    const batch = this.#waiting
    if (batch.size === 0) return
    this.#waiting = new Map()
    try {
      await this.#record([...batch.values()])
      await this.#clean()
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'visit counting failed')
      for (const [key, visit] of batch) if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, visit)
    }
  }

  /** A visit that the database rejects is dropped alone: it would take all others along, again and again. */
  async #record(visits: Visit[]): Promise<void> {
    try {
      await recordVisits(this.#db, visits)
    } catch (error) {
      if (!isRejected(error)) throw error
      if (visits.length > 1) {
        const middle = visits.length >> 1
        await this.#record(visits.slice(0, middle))
        return this.#record(visits.slice(middle))
      }
      this.#log.error({ reason: (error as Error).message, script: visits[0]?.scriptId }, 'visit dropped')
    }
  }

  async #clean(): Promise<void> {
    if (Date.now() - this.#cleanedAt < CLEAN_EVERY_MS) return
    this.#cleanedAt = Date.now()
    await sql`delete from script_visits where counted_at < now() - interval '24 hours'`.execute(this.#db)
  }
}

/** SQLSTATE classes of values and constraints: the same statement fails again. */
const isRejected = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '')

/** Hosts of one script and day that are counted by name. Concurrent batches may exceed it. */
const MAX_HOSTS = 20

/** Locks rows in sorted order, the stats of a script before its days, so that processes cannot deadlock. */
async function recordVisits(db: Database, visits: Visit[]): Promise<void> {
  const ids = visits.map((visit) => visit.scriptId)
  const kinds = visits.map((visit) => visit.kind)
  const visitors = visits.map((visit) => visit.visitor)
  const referrers = visits.map((visit) => visit.referrer)
  await sql`with visits as (
      select * from unnest(${ids}::int[], ${kinds}::text[], ${visitors}::bytea[], ${referrers}::text[])
        as v (script_id, kind, visitor, referrer)
      where exists (select 1 from scripts s where s.id = v.script_id)
    ), counted as (
      insert into script_visits as known (script_id, kind, visitor)
      select script_id, kind, visitor from visits order by 1, 2, 3
      on conflict (script_id, kind, visitor) do update set counted_at = now()
        where known.counted_at < now() - interval '24 hours'
      returning script_id, kind, visitor
    ), sums as (
      select script_id, count(*) filter (where kind = 'view')::int as views,
        count(*) filter (where kind = 'download')::int as downloads
      from counted group by script_id
    ), locked as (
      select st.script_id, sums.views, sums.downloads
      from script_stats st join sums using (script_id) order by st.script_id for update of st
    ), days as (
      insert into script_days as known (script_id, day, version_number, views, downloads)
      select s.id, utc_day(now()), s.current_version, locked.views, locked.downloads
      from locked join scripts s on s.id = locked.script_id order by s.id
      on conflict (script_id, day, version_number) do update set
        views = known.views + excluded.views, downloads = known.downloads + excluded.downloads
    ), linked as (
      select v.script_id, v.referrer as host, count(*)::int as views
      from counted c join visits v using (script_id, kind, visitor) join locked using (script_id)
      where c.kind = 'view' and v.referrer <> '' group by 1, 2
    ), ranked as (
      select l.*, k.host is not null as is_known,
        (select count(*) from script_referrers r where r.script_id = l.script_id and r.day = utc_day(now()))
          + row_number() over (partition by l.script_id, k.host is null order by l.views desc, l.host) as rank
      from linked l left join script_referrers k
        on k.script_id = l.script_id and k.day = utc_day(now()) and k.host = l.host
    ), hosts as (
      insert into script_referrers as known (script_id, day, host, views)
      select script_id, utc_day(now()), case when is_known or rank <= ${MAX_HOSTS} then host else '' end, sum(views)
      from ranked group by 1, 2, 3 order by 1, 2, 3
      on conflict (script_id, day, host) do update set views = known.views + excluded.views
    )
    update script_stats st set view_count = st.view_count + locked.views,
      download_count = st.download_count + locked.downloads,
      trend = add_trend(st.trend, locked.views + 3 * locked.downloads)
    from locked where st.script_id = locked.script_id`.execute(db)
}

/** Visitors of one network that are counted. They differ by browser, and a client can claim to be any number of browsers. */
const VISITORS_PER_NETWORK = 4

/** Returns 16 bytes that can't be traced back to a person without the secret key. */
export function hashVisitor(visitor: Visitor, secretKey: Buffer): Buffer {
  const browser = createHash('sha256').update(visitor.headers['user-agent'] ?? '')
  const group = browser.digest().readUInt32BE() % VISITORS_PER_NETWORK
  const traits = `${networkOf(visitor.ip)}\n${group}`
  return createHmac('sha256', secretKey).update('visitor\n').update(traits).digest().subarray(0, 16)
}

export function countScriptViews(
  visits: VisitCounter,
  { secretKey, publicUrl }: { secretKey: Buffer; publicUrl: string },
): (path: string, visitor: Visitor) => void {
  const { host } = new URL(publicUrl)
  return (path, visitor) => {
    const id = path.startsWith('/scripts/') ? readScriptId(path) : null
    if (id !== null)
      visits.count(id, 'view', hashVisitor(visitor, secretKey), referrerHost(visitor.headers.referer, host))
  }
}
