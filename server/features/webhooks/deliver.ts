// Sends the deliveries that are due, keeps their order, and repeats failed ones.
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { type Seal, UnreadableError } from '#server/platform/db/seal.ts'
import { isActive } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { toDiscordMessage, toJsonMessage } from './messages.ts'
import type { Attempt, WebhookSender } from './send.ts'

/** Requests at once, in total and per webhook. A failing webhook gets one at a time, so that it delays no others. */
const MAX_IN_FLIGHT = 128
const MAX_IN_FLIGHT_PER_WEBHOOK = 8
/** Rows of a webhook that one claim examines. */
const CLAIM_BATCH = 100
/** An attempt whose process died is repeated after this time. Longer than a request may take. */
const LEASE = sql`interval '30 seconds'`
/** Delays after the first, second, … failure. The last attempt is 24 hours after the event. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000]
const RETRIED_FOR = sql`interval '24 hours'`
const GONE = 410
/** Longer runs end and add another job, because the queue aborts jobs that take too long. */
const MAX_RUN_MS = 30_000
/** How often a run looks for new deliveries while it waits for responses. */
const POLL_MS = 200
/** `last_succeeded_at` is updated at most this often. */
const SUCCESS_PRECISION = sql`interval '1 minute'`

export interface DeliveryOptions {
  db: Database
  jobs: JobQueue
  seal: Seal
  sender: Pick<WebhookSender, 'send'>
  siteName: () => string
  log: FastifyBaseLogger
}

/** Adds a job if something is due: retries, and deliveries of a process that died. */
export async function wakeDeliveries(db: Database, jobs: JobQueue): Promise<void> {
  if (await isAnyDue(db)) await jobs.enqueue(db, 'deliver-webhooks', {})
}

async function isAnyDue(db: Database): Promise<boolean> {
  const { rows } = await sql`select from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'waiting' and d.next_attempt_at <= now() and w.disabled_at is null limit 1`.execute(db)
  return rows.length > 0
}

interface Claimed {
  id: number
  webhook_id: number
  lane: number
  attempts: number
  sealed_url: Buffer
  sealed_secret: Buffer
  sealed_former_secret: Buffer | null
  format: 'json' | 'discord'
  key: string
  type: string
  body: string
}

interface Result extends Attempt {
  delivery: Claimed
}

/** Sends everything that is due, and what becomes due in the meantime. */
export async function deliverDue(options: DeliveryOptions, signal: AbortSignal): Promise<void> {
  const { db, jobs, log } = options
  const end = Date.now() + MAX_RUN_MS
  await closeOfDisabled(db)
  const results: Result[] = []
  const inFlight = new Map<number, number>()
  const progress = new EventTarget()
  const start = async (delivery: Claimed) => {
    const { webhook_id } = delivery
    inFlight.set(webhook_id, (inFlight.get(webhook_id) ?? 0) + 1)
    const attempt = await sendOne(options, delivery)
    const others = (inFlight.get(webhook_id) ?? 1) - 1
    if (others > 0) inFlight.set(webhook_id, others)
    else inFlight.delete(webhook_id)
    results.push({ ...attempt, delivery })
    progress.dispatchEvent(new Event('change'))
  }
  for (;;) {
    if (results.length > 0) await recordResults(db, log, results.splice(0))
    const isOver = signal.aborted || Date.now() > end
    const { claimed, examined } = isOver ? { claimed: [], examined: 0 } : await claim(db, inFlight)
    for (const delivery of claimed) void start(delivery)
    if (results.length > 0 || examined > 0) continue
    if (inFlight.size === 0) break
    await once(progress, 'change', { signal: AbortSignal.timeout(POLL_MS) }).catch(() => {})
  }
  if (!signal.aborted && Date.now() > end) await wakeDeliveries(db, jobs)
}

/** Takes the first due delivery of each lane; the others wait until it is done. `examined` is 0 if nothing is left. */
async function claim(
  db: Database,
  inFlight: ReadonlyMap<number, number>,
): Promise<{ claimed: Claimed[]; examined: number }> {
  const busy = [...inFlight.values()].reduce((sum, count) => sum + count, 0)
  if (busy >= MAX_IN_FLIGHT) return { claimed: [], examined: 0 }
  const { rows } = await sql<Claimed & { is_first: boolean }>`
    with recursive waiting (webhook_id) as (
      select min(webhook_id) from webhook_deliveries where state = 'waiting'
      union all
      select (select min(webhook_id) from webhook_deliveries where state = 'waiting' and webhook_id > waiting.webhook_id)
        from waiting where waiting.webhook_id is not null
    ), free as (
      select w.id, (case when w.failing_since is null then ${MAX_IN_FLIGHT_PER_WEBHOOK}::int else 1 end)
          - coalesce(b.count, 0) as count
      from waiting join webhooks w on w.id = waiting.webhook_id
        left join members m on m.id = w.owner_id
        left join unnest(${[...inFlight.keys()]}::int[], ${[...inFlight.values()]}::int[]) b (id, count) on b.id = w.id
      where w.disabled_at is null and (w.owner_id is null or ${isActive('m')})
    ), due as (
      select d.id, d.webhook_id, first.id as first_id, first.next_attempt_at as first_at, free.count,
        row_number() over (partition by d.webhook_id, d.id = first.id order by d.id) as position
      from free cross join lateral (
        select id, webhook_id, lane from webhook_deliveries
        where webhook_id = free.id and state = 'waiting' and next_attempt_at <= now()
        order by next_attempt_at limit ${CLAIM_BATCH} for update skip locked
      ) d cross join lateral (
        select id, next_attempt_at from webhook_deliveries f
        where f.webhook_id = d.webhook_id and f.lane = d.lane and f.state = 'waiting' order by f.id limit 1
      ) first
      where free.count > 0
    ), taken as (
      -- A delivery behind another one is examined again when that one is done, or its attempt has died.
      update webhook_deliveries d set attempts = d.attempts + (d.id = due.first_id)::int,
        attempted_at = case when d.id = due.first_id then now() else d.attempted_at end,
        next_attempt_at = case when d.id = due.first_id then now() + ${LEASE}
          else greatest(due.first_at, now() + ${LEASE}) end
      from due where d.id = due.id and (d.id <> due.first_id or due.position <= due.count)
        and (d.id <> due.first_id or due.position <= ${MAX_IN_FLIGHT - busy})
      returning d.id, d.webhook_id, d.lane, d.attempts, d.event_id, d.id = due.first_id as is_first
    )
    select t.id, t.webhook_id, t.lane, t.attempts, t.is_first, w.sealed_url, w.sealed_secret,
      case when w.former_secret_until > now() then w.sealed_former_secret end as sealed_former_secret, w.format,
      e.key, e.type, e.body
    from taken t join webhooks w on w.id = t.webhook_id join webhook_events e on e.id = t.event_id
    order by t.id`.execute(db)
  return { claimed: rows.filter((row) => row.is_first), examined: rows.length }
}

const FAILED = { status: null, durationMs: 0, response: null, retryAfterSeconds: null }

async function sendOne({ seal, sender, siteName, log }: DeliveryOptions, delivery: Claimed): Promise<Attempt> {
  try {
    const url = new URL(seal.open(delivery.sealed_url))
    if (delivery.format === 'discord') return await sender.send(url, toDiscordMessage(delivery, siteName()))
    const { sealed_secret, sealed_former_secret: former } = delivery
    const secrets = [sealed_secret, ...(former ? [former] : [])].map((sealed) => seal.open(sealed))
    return await sender.send(url, toJsonMessage(delivery, secrets, Date.now()))
  } catch (error) {
    if (!(error instanceof UnreadableError)) {
      log.error({ reason: (error as Error).message, delivery: delivery.id }, 'webhook message failed')
      return { ...FAILED, error: 'The site could not make a message of this event.' }
    }
    return { ...FAILED, error: 'The site lost the key that protects this URL. Delete the webhook and create it again.' }
  }
}

const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Seconds until the next attempt, with a jitter of 10 percent. */
function retryDelay({ delivery, retryAfterSeconds }: Result): number {
  const delay = RETRY_SECONDS[delivery.attempts - 1] ?? RETRY_SECONDS.at(-1) ?? 0
  return Math.max(delay * (0.9 + Math.random() * 0.2), retryAfterSeconds ?? 0)
}

interface Recorded {
  id: number
  webhook_id: number
  lane: number
  state: 'waiting' | 'delivered' | 'failed'
}

async function recordResults(db: Database, log: FastifyBaseLogger, results: readonly Result[]): Promise<void> {
  const rows = results.map((result) => ({
    id: result.delivery.id,
    is_delivered: isSuccess(result),
    delay: retryDelay(result),
    status: result.status,
    duration_ms: result.durationMs,
    error: result.error,
    response: result.response?.toWellFormed() ?? null,
  }))
  await db.transaction().execute(async (trx) => {
    // Webhooks first: an owner who turns one off locks it before its deliveries.
    await recordSuccess(trx, results)
    const { rows: recorded } = await sql<Recorded>`update webhook_deliveries d set
        state = case when r.is_delivered then 'delivered'
          when now() >= d.created_at + ${RETRIED_FOR} then 'failed' else 'waiting' end,
        -- The last attempt is exactly at the end of the time.
        next_attempt_at = least(now() + r.delay * interval '1 second',
          greatest(d.created_at + ${RETRIED_FOR}, now() + interval '1 second')),
        status = r.status, duration_ms = r.duration_ms, error = r.error, response = r.response
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (id bigint, is_delivered boolean, delay float8, status int,
        duration_ms int, error text, response text)
      where d.id = r.id and d.state = 'waiting'
      returning d.id, d.webhook_id, d.lane, d.state`.execute(trx)
    const done = recorded.filter(({ state }) => state !== 'waiting')
    await releaseNext(trx, done)
    const gone = results.filter(({ status }) => status === GONE).map(({ delivery }) => delivery.webhook_id)
    const failed = recorded.filter(({ state }) => state === 'failed').map(({ webhook_id }) => webhook_id)
    const disabled = [...(await disable(trx, gone, 'gone')), ...(await disable(trx, failed, 'failures'))]
    if (disabled.length > 0) log.warn({ webhooks: disabled }, 'webhooks disabled')
  })
}

async function recordSuccess(trx: Transaction, results: readonly Result[]): Promise<void> {
  const idsOf = (list: readonly Result[]) => [...new Set(list.map(({ delivery }) => delivery.webhook_id))]
  const succeeded = idsOf(results.filter(isSuccess))
  const failed = idsOf(results.filter((result) => !isSuccess(result))).filter((id) => !succeeded.includes(id))
  await sql`select from webhooks where id = any(${[...succeeded, ...failed]}::int[]) order by id for no key update`.execute(
    trx,
  )
  await sql`update webhooks set last_succeeded_at = now(), failing_since = null
    where id = any(${succeeded}::int[]) and (failing_since is not null or last_succeeded_at is null
      or last_succeeded_at < now() - ${SUCCESS_PRECISION})`.execute(trx)
  await sql`update webhooks set failing_since = now()
    where id = any(${failed}::int[]) and failing_since is null`.execute(trx)
}

async function releaseNext(trx: Transaction, done: readonly Recorded[]): Promise<void> {
  if (done.length === 0) return
  await sql`update webhook_deliveries d set next_attempt_at = now()
    from unnest(${done.map(({ webhook_id }) => webhook_id)}::int[], ${done.map(({ lane }) => lane)}::int[]) r (webhook_id, lane)
    where d.state = 'waiting' and d.next_attempt_at > now() and d.id = (select id from webhook_deliveries n
      where n.webhook_id = r.webhook_id and n.lane = r.lane and n.state = 'waiting' order by n.id limit 1)`.execute(trx)
}

/** Also notifies the owners, or the admins. Returns the ids of the webhooks that were enabled. */
async function disable(trx: Transaction, ids: readonly number[], reason: 'gone' | 'failures'): Promise<number[]> {
  if (ids.length === 0) return []
  const isDue =
    reason === 'gone' ? sql`true` : sql`(last_succeeded_at is null or last_succeeded_at <= now() - ${RETRIED_FOR})`
  const { rows } = await sql<{ id: number; owner_id: number | null }>`update webhooks
    set disabled_at = now(), disabled_reason = ${reason}
    where id = any(${ids}::int[]) and disabled_at is null and ${isDue} returning id, owner_id`.execute(trx)
  for (const { id, owner_id } of rows) {
    await cancelWaiting(trx, id)
    await notifyOwner(trx, owner_id, reason)
  }
  return rows.map(({ id }) => id)
}

const REASON_OFF = sql`case w.disabled_reason
  when 'gone' then 'The webhook was turned off, because its URL says that it no longer exists.'
  when 'failures' then 'The webhook was turned off, because nothing could be delivered for 24 hours.'
  else 'The webhook was turned off.' end`

export async function cancelWaiting(trx: Transaction, webhookId: number): Promise<void> {
  await closeWhere(trx, sql`d.webhook_id = ${webhookId}`)
}

/** Closes deliveries of events whose transactions began before a webhook was turned off and committed afterwards. */
async function closeOfDisabled(db: Database): Promise<void> {
  await closeWhere(db, sql`d.webhook_id in (select id from webhooks where disabled_at is not null)`)
}

/** Closes the waiting deliveries that match, with the reason why their webhook was turned off. */
async function closeWhere(db: Database, isMatch: RawBuilder<unknown>): Promise<void> {
  await sql`update webhook_deliveries d set state = 'failed', error = coalesce(d.error, ${REASON_OFF})
    from webhooks w where w.id = d.webhook_id and d.state = 'waiting' and ${isMatch}`.execute(db)
}

async function notifyOwner(trx: Transaction, ownerId: number | null, reason: 'gone' | 'failures'): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from members
    where ${ownerId === null ? sql`is_admin` : sql`id = ${ownerId}`} and ${isActive('members')} order by id`.execute(
    trx,
  )
  const why = reason === 'gone' ? 'its URL says that it no longer exists' : 'nothing could be delivered for 24 hours'
  for (const { id: memberId } of rows) {
    await notify(trx, {
      memberId,
      kind: 'admin',
      type: 'warning',
      title: ownerId === null ? 'A webhook of the site was turned off' : 'Your webhook was turned off',
      message: `It was turned off because ${why}. See the log of its deliveries for details. Turn it on again when its URL works.`,
      link: ownerId === null ? '/admin/webhooks' : '/profile/settings?tab=webhooks',
    })
  }
}

/** Fails deliveries that a ban of the owner delayed for a day. */
export async function failDelayedDeliveries(db: Database): Promise<void> {
  await sql`update webhook_deliveries set state = 'failed', error = coalesce(error, 'The webhook was paused for a day.')
    where state = 'waiting' and created_at < now() - ${RETRIED_FOR} - interval '1 hour'`.execute(db)
}
