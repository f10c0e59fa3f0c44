// Webhooks of a member, or of the site if the owner is null.
import { sql } from 'kysely'
import { DISCORD_WEBHOOK_URL, MAX_SITE_WEBHOOKS, MAX_WEBHOOKS, type WebhookEvent } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { type Seal, UnreadableError } from '#server/platform/db/seal.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockAdmin, lockMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { parseLink } from '#server/platform/http/text.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { cancelWaiting } from './deliver.ts'
import { insertDeliveries } from './emit.ts'
import { createSecret } from './messages.ts'

export interface WebhooksOptions {
  db: Database
  jobs: JobQueue
  seal: Seal
  /** In development, to receive events on the same machine. */
  allowsHttp: boolean
}

export interface Manager {
  callerId: number
  isSite: boolean
}

const SECRET_OVERLAP = sql`interval '24 hours'`
const PAGE_SIZE = 20

const webhookNotFound = () => notFound('This webhook')

const ownerOf = ({ callerId, isSite }: Manager): number | null => (isSite ? null : callerId)

const isOwn = (manager: Manager) => sql`owner_id is not distinct from ${ownerOf(manager)}::int`

async function lockManager(trx: Transaction, { callerId, isSite }: Manager): Promise<void> {
  if (isSite) await lockAdmin(trx, callerId)
  else await lockMember(trx, callerId, { allowMuted: true, exclusive: true })
}

interface WebhookRow extends Omit<
  Webhook,
  'url' | 'is_enabled' | 'failing_since' | 'last_succeeded_at' | 'former_secret_until' | 'created_at'
> {
  sealed_url: Buffer
  failing_since: Date | null
  last_succeeded_at: Date | null
  former_secret_until: Date | null
  created_at: Date
}

const COLUMNS = sql`id, sealed_url, format, events, disabled_reason, failing_since, last_succeeded_at,
  case when former_secret_until > now() then former_secret_until end as former_secret_until, created_at,
  case when script_ids is not null then coalesce((select json_agg(json_build_object('id', s.id, 'title', s.title) order by s.id)
    from scripts s where s.id = any(script_ids)), '[]') end as scripts`

function toWebhook(seal: Seal, row: WebhookRow): Webhook {
  const { id, format, events, scripts, disabled_reason } = row
  return {
    id,
    url: openUrl(seal, row.sealed_url),
    format,
    events,
    scripts,
    is_enabled: disabled_reason === null,
    disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    last_succeeded_at: row.last_succeeded_at?.toISOString() ?? null,
    former_secret_until: row.former_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/** The URL of a webhook; empty if the key that encrypted it is lost. */
export function openUrl(seal: Seal, sealed: Buffer): string {
  try {
    return seal.open(sealed)
  } catch (error) {
    if (error instanceof UnreadableError) return ''
    throw error
  }
}

export async function listWebhooks({ db, seal }: WebhooksOptions, manager: Manager): Promise<Webhook[]> {
  const { rows } = await sql<WebhookRow>`select ${COLUMNS} from webhooks where ${isOwn(manager)} order by id`.execute(
    db,
  )
  return rows.map((row) => toWebhook(seal, row))
}

function parseUrl(raw: string, { allowsHttp }: WebhooksOptions): string {
  const url = parseLink(raw, { field: 'url', label: 'The URL' })
  if (!url) throw invalidField('url', 'The URL must not be empty.')
  if (url.protocol !== 'https:' && !allowsHttp) throw invalidField('url', 'The URL must start with https://.')
  return url.href
}

/** Throws AppError `invalid`. */
function requireEvents(events: readonly WebhookEvent[] | undefined, { isSite }: Manager): void {
  if (!isSite && events?.includes('giveaway.ended')) {
    throw invalidField('events', 'Only webhooks of the site can receive events of giveaways.')
  }
}

/** Limits a webhook to scripts of its owner; null removes the limit. Throws AppError `invalid` if one is not the owner's. */
async function setScripts(trx: Transaction, webhookId: number, ownerId: number, scriptIds: readonly number[] | null) {
  if (scriptIds !== null) {
    const { rows: own } = await sql`select from scripts
      where id = any(${scriptIds}::int[]) and author_id = ${ownerId}`.execute(trx)
    if (own.length < scriptIds.length) throw invalidField('script_ids', 'Choose only scripts of your own.')
  }
  await sql`update webhooks set script_ids = ${scriptIds}::int[] where id = ${webhookId}`.execute(trx)
}

const formatOf = (url: string) => (DISCORD_WEBHOOK_URL.test(url) ? 'discord' : 'json')

const audit = (trx: Transaction, { callerId, isSite }: Manager, action: string, id: number): Promise<void> =>
  isSite ? writeAudit(trx, { actorId: callerId, action, subjectType: 'webhook', subjectId: id }) : Promise.resolve()

/** Returns the secret, once. Throws AppError `invalid`, `too_many_webhooks`, and what the locks throw. */
export async function createWebhook(
  options: WebhooksOptions,
  manager: Manager,
  input: BodyOf<'POST /api/webhooks'>,
): Promise<{ webhook: Webhook; secret: string }> {
  const { db, seal } = options
  const url = parseUrl(input.url, options)
  requireEvents(input.events, manager)
  const secret = createSecret()
  const max = manager.isSite ? MAX_SITE_WEBHOOKS : MAX_WEBHOOKS
  return db.transaction().execute(async (trx) => {
    await lockManager(trx, manager)
    const { rows: own } = await sql`select from webhooks where ${isOwn(manager)}`.execute(trx)
    if (own.length >= max) {
      throw new AppError('too_many_webhooks', 409, `You can have ${max} webhooks. Delete one first.`)
    }
    const { rows } = await sql<{
      id: number
    }>`insert into webhooks (owner_id, sealed_url, format, events, sealed_secret)
      values (${ownerOf(manager)}, ${seal.seal(url)}, ${input.format ?? formatOf(url)}, ${input.events}::text[],
        ${seal.seal(secret)}) returning id`.execute(trx)
    const id = rows[0]?.id ?? 0
    if (input.script_ids) await setScripts(trx, id, manager.callerId, input.script_ids)
    await audit(trx, manager, 'create_webhook', id)
    return { webhook: await readWebhook(trx, seal, id), secret }
  })
}

async function readWebhook(trx: Transaction, seal: Seal, id: number): Promise<Webhook> {
  const { rows } = await sql<WebhookRow>`select ${COLUMNS} from webhooks where id = ${id}`.execute(trx)
  if (!rows[0]) throw webhookNotFound()
  return toWebhook(seal, rows[0])
}

async function lockWebhook(trx: Transaction, manager: Manager, id: number): Promise<WebhookRow> {
  await lockManager(trx, manager)
  const { rows } = await sql<WebhookRow>`select ${COLUMNS} from webhooks
    where id = ${id} and ${isOwn(manager)} for update`.execute(trx)
  if (!rows[0]) throw webhookNotFound()
  return rows[0]
}

/** Waiting deliveries of a webhook that is turned off fail. Throws AppError `invalid`, `not_found`, what the locks throw. */
export async function changeWebhook(
  options: WebhooksOptions,
  manager: Manager,
  { id, url: rawUrl, events, script_ids, format, is_enabled }: BodyOf<'PUT /api/webhooks'>,
): Promise<Webhook> {
  const { db, seal } = options
  const url = rawUrl === undefined ? undefined : parseUrl(rawUrl, options)
  requireEvents(events, manager)
  return db.transaction().execute(async (trx) => {
    const former = await lockWebhook(trx, manager, id)
    const sealedUrl = url === undefined ? former.sealed_url : seal.seal(url)
    const nextFormat = format ?? (url === undefined ? former.format : formatOf(url))
    const isOn = is_enabled ?? former.disabled_reason === null
    const isChangedToOn = isOn && former.disabled_reason !== null
    const reason = isOn ? null : (former.disabled_reason ?? 'owner')
    await sql`update webhooks set sealed_url = ${sealedUrl}, format = ${nextFormat},
        events = ${events ?? former.events}::text[], disabled_reason = ${reason},
        disabled_at = case when ${isOn} then null else coalesce(disabled_at, now()) end,
        failing_since = case when ${isChangedToOn || url !== undefined} then null else failing_since end
      where id = ${id}`.execute(trx)
    if (script_ids !== undefined) await setScripts(trx, id, manager.callerId, script_ids)
    if (!isOn) await cancelWaiting(trx, id)
    await audit(trx, manager, 'change_webhook', id)
    return readWebhook(trx, seal, id)
  })
}

/** Throws AppError `not_found`, and what the locks throw. */
export async function deleteWebhook({ db }: WebhooksOptions, manager: Manager, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockWebhook(trx, manager, id)
    await sql`delete from webhooks where id = ${id}`.execute(trx)
    await audit(trx, manager, 'delete_webhook', id)
  })
}

/** Replaces the secret; the former one signs as well for a day. Throws AppError `not_found`, and what the locks throw. */
export async function rotateSecret(
  { db, seal }: WebhooksOptions,
  manager: Manager,
  id: number,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createSecret()
  return db.transaction().execute(async (trx) => {
    await lockWebhook(trx, manager, id)
    await sql`update webhooks set sealed_secret = ${seal.seal(secret)},
        sealed_former_secret = sealed_secret, former_secret_until = now() + ${SECRET_OVERLAP}
      where id = ${id}`.execute(trx)
    await audit(trx, manager, 'rotate_webhook_secret', id)
    return { webhook: await readWebhook(trx, seal, id), secret }
  })
}

type DeliveryRow = Omit<WebhookDelivery, 'created_at' | 'attempted_at' | 'next_attempt_at'> &
  Record<'created_at' | 'next_attempt_at', Date> & { attempted_at: Date | null }

const DELIVERY = sql`select d.id, e.key as event_id, e.type, coalesce(e.body::jsonb #>> '{data,script,title}',
    e.body::jsonb #>> '{data,giveaway,title}') as subject, d.state, d.attempts, d.status, d.duration_ms, d.error, d.response,
    e.body, d.created_at, d.attempted_at, d.next_attempt_at
  from webhook_deliveries d join webhook_events e on e.id = d.event_id`

const toDelivery = ({ created_at, attempted_at, next_attempt_at, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  created_at: created_at.toISOString(),
  attempted_at: attempted_at?.toISOString() ?? null,
  next_attempt_at: row.state === 'waiting' ? next_attempt_at.toISOString() : null,
})

/** Newest first. Throws AppError `not_found`. */
export async function listDeliveries(
  { db }: WebhooksOptions,
  manager: Manager,
  { id, before_id }: { id: number; before_id?: number | undefined },
): Promise<{ deliveries: WebhookDelivery[]; has_more: boolean }> {
  const { rows: own } = await sql`select from webhooks where id = ${id} and ${isOwn(manager)}`.execute(db)
  if (own.length === 0) throw webhookNotFound()
  const { rows } = await sql<DeliveryRow>`${DELIVERY} where d.webhook_id = ${id}
    and ${before_id === undefined ? sql`true` : sql`d.id < ${before_id}`} order by d.id desc limit ${PAGE_SIZE + 1}`.execute(
    db,
  )
  return { deliveries: rows.slice(0, PAGE_SIZE).map(toDelivery), has_more: rows.length > PAGE_SIZE }
}

/** An event of the log keeps its id. Throws AppError `not_found`, `webhook_off`, and what the locks throw. */
export async function sendNow(
  { db, jobs }: WebhooksOptions,
  manager: Manager,
  request: BodyOf<'POST /api/webhook-deliveries'>,
): Promise<WebhookDelivery> {
  return db.transaction().execute(async (trx) => {
    const id =
      request.action === 'test'
        ? await sendTest(trx, jobs, manager, request.id)
        : await repeat(trx, jobs, manager, request.delivery_id)
    const { rows } = await sql<DeliveryRow>`${DELIVERY} where d.id = ${id}`.execute(trx)
    if (!rows[0]) throw notFound('This delivery')
    return toDelivery(rows[0])
  })
}

function requireOn({ disabled_reason }: WebhookRow): void {
  if (disabled_reason !== null) throw new AppError('webhook_off', 409, 'Turn the webhook on first.')
}

async function sendTest(
  trx: Transaction,
  jobs: JobQueue,
  manager: Manager,
  webhookId: number,
): Promise<number | undefined> {
  requireOn(await lockWebhook(trx, manager, webhookId))
  const data = { message: 'This is a test. Your webhook works.' }
  const event = { type: 'webhook.test', data, authorId: ownerOf(manager), actorId: null, lane: 0 } as const
  const [id] = await insertDeliveries(trx, jobs, { ...event, webhookIds: [webhookId] })
  return id
}

async function repeat(
  trx: Transaction,
  jobs: JobQueue,
  manager: Manager,
  deliveryId: number,
): Promise<number | undefined> {
  const { rows: deliveries } = await sql<{ webhook_id: number }>`select webhook_id from webhook_deliveries
    where id = ${deliveryId}`.execute(trx)
  const [former] = deliveries
  if (!former) throw notFound('This delivery')
  requireOn(await lockWebhook(trx, manager, former.webhook_id))
  const { rows } = await sql<{ id: number }>`insert into webhook_deliveries (webhook_id, event_id, lane)
    select webhook_id, event_id, lane from webhook_deliveries where id = ${deliveryId} returning id`.execute(trx)
  await jobs.enqueue(trx, 'deliver-webhooks', {})
  return rows[0]?.id
}
