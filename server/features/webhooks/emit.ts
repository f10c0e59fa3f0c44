// Writes events into the outbox, in the transaction of their cause.
import { sql } from 'kysely'
import { splitChangelog } from '#contract/script-fields.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { WebhookData, WebhookEventType } from '#contract/webhooks.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { isBlocking } from '#server/features/members/blocking.ts'
import { isActive } from '#server/features/members/standing.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'

type Omitted = 'script' | 'member' | 'url'
type Part<T extends WebhookEventType, K extends string> = K extends keyof WebhookData<T>
  ? Omit<WebhookData<T>[K], Omitted>
  : never

/** What happened. Names and URLs are added from the ids. */
export type EmittedEvent =
  | { type: 'version.published'; scriptId: number; isFirst: boolean }
  | ({ type: 'version.held'; scriptId: number } & Omit<WebhookData<'version.held'>, 'script'>)
  | ({ type: 'version.released'; scriptId: number } & Omit<WebhookData<'version.released'>, 'script'>)
  | ({ type: 'version.withdrawn'; scriptId: number } & Omit<WebhookData<'version.withdrawn'>, 'script'>)
  | { type: 'review.posted'; scriptId: number; actorId: number; review: Part<'review.posted', 'review'> }
  | { type: 'comment.posted'; scriptId: number; actorId: number; comment: Part<'comment.posted', 'comment'> }
  | ({ type: 'behavior.changed'; scriptId: number } & Omit<WebhookData<'behavior.changed'>, 'script'>)
  | { type: 'giveaway.ended'; giveaway: Part<'giveaway.ended', 'giveaway'> }

/** Call it in the transaction of the event. Authors receive nothing about members whom they have blocked. */
export type Emit = (trx: Transaction, event: EmittedEvent) => Promise<void>

export interface EmitOptions {
  jobs: JobQueue
  publicUrl: string
}

export function createEmit({ jobs, publicUrl }: EmitOptions): Emit {
  return async (trx, event) => {
    const scriptId = 'scriptId' in event ? event.scriptId : null
    const actorId = 'actorId' in event ? event.actorId : null
    const author = sql`(select author_id from scripts where id = ${scriptId})`
    // The first version of a script is held before anyone else knows of the script, and that of a hidden one may be released.
    const mustBePublic = event.type === 'version.held' || event.type === 'version.released'
    // An unlisted script is nobody's news.
    const isKnown = sql`not is_unlisted and (is_public or not ${mustBePublic}::boolean)`
    const isForSite = scriptId === null ? sql`true` : sql`(select ${isKnown} from scripts where id = ${scriptId})`
    // The lock lets a deletion of the webhook wait, which would otherwise fail this transaction.
    const { rows } = await sql<{ id: number; author_id: number | null }>`select w.id, s.author_id
      from webhooks w left join (values (${author})) s (author_id) on true
      where w.disabled_at is null and ${event.type} = any(w.events)
        and (w.owner_id is null and ${isForSite} or (w.owner_id = s.author_id
          and (w.script_ids is null or ${scriptId}::int = any(w.script_ids))
          and exists (select from members m where m.id = w.owner_id and ${isActive('m')})
          and not ${isBlocking(sql`w.owner_id`, actorId)}))
      order by w.id for key share of w`.execute(trx)
    if (rows.length === 0) return
    const body = await describeEvent(trx, publicUrl, event)
    await insertDeliveries(trx, jobs, {
      type: event.type,
      data: body,
      authorId: rows[0]?.author_id ?? null,
      actorId,
      lane: scriptId ?? 0,
      webhookIds: rows.map(({ id }) => id),
    })
  }
}

interface NewDeliveries {
  type: WebhookEventType
  data: object
  authorId: number | null
  actorId: number | null
  lane: number
  webhookIds: readonly number[]
}

/** Inserts an event and its deliveries, and a job that sends them after the commit. Returns the ids of the deliveries. */
export async function insertDeliveries(trx: Transaction, jobs: JobQueue, event: NewDeliveries): Promise<number[]> {
  const body = JSON.stringify({ type: event.type, timestamp: new Date(), data: event.data })
  const { rows } = await sql<{ id: number }>`with event as (
      insert into webhook_events (type, actor_id, author_id, body)
      values (${event.type}, ${event.actorId}, ${event.authorId}, ${body}) returning id
    )
    insert into webhook_deliveries (webhook_id, event_id, lane)
    select w.id, event.id, ${event.lane} from event cross join unnest(${event.webhookIds}::int[]) w (id)
    returning id`.execute(trx)
  await jobs.enqueue(trx, 'deliver-webhooks', {})
  return rows.map(({ id }) => id)
}

interface ScriptRow {
  id: number
  title: string
  author_id: number
  author_name: string
  author_slug: string
  number: number
  version: string
  changelog: string | null
}

async function describeEvent(trx: Transaction, publicUrl: string, event: EmittedEvent): Promise<object> {
  if (event.type === 'giveaway.ended') {
    const { giveaway } = event
    return { giveaway: { ...giveaway, url: `${publicUrl}/giveaways/${giveaway.id}/draw` } }
  }
  const profile = (id: number, name: string, slug: string) => ({
    id,
    name,
    url: `${publicUrl}/profile/${encodeURIComponent(slug)}`,
  })
  const row = await getScript(trx, event.scriptId)
  const slug = scriptSlug(row.title, row.id)
  const url = `${publicUrl}/scripts/${encodeURIComponent(slug)}`
  const author = profile(row.author_id, row.author_name, row.author_slug)
  const script = { id: row.id, title: row.title, slug, url, author }
  if (event.type === 'version.published') {
    const { number, version: name, changelog } = row
    const subject = changelog && splitChangelog(changelog).subject
    return { script, version: { number, name, changelog: subject, is_first: event.isFirst } }
  }
  if (!('actorId' in event)) {
    const { type: _type, scriptId: _scriptId, ...change } = event
    return { script, ...change }
  }
  const actor = await trx
    .selectFrom('members')
    .select(['id', 'slug', sql<string>`coalesce(nullif(display_name, ''), username)`.as('name')])
    .where('id', '=', event.actorId)
    .executeTakeFirstOrThrow()
  const member = profile(actor.id, actor.name, actor.slug)
  if (event.type === 'review.posted') return { script, review: { ...event.review, member } }
  return { script, comment: { ...event.comment, url: `${url}#comment-${event.comment.id}`, member } }
}

async function getScript(trx: Transaction, id: number): Promise<ScriptRow> {
  const { rows } = await sql<ScriptRow>`select s.id, s.title, m.id as author_id,
      coalesce(nullif(m.display_name, ''), m.username) as author_name, m.slug as author_slug, v.number, v.version, v.changelog
    from scripts s join members m on m.id = s.author_id
      join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${id}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error(`Script ${id} of an event does not exist.`)
  return row
}
