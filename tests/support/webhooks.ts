import type { Database } from '#server/platform/db/database.ts'
import { createSeal } from '#server/platform/db/seal.ts'
import { createSecret } from '#server/features/webhooks/messages.ts'

interface WebhookValues {
  /** Null for a webhook of the site. */
  owner_id?: number
  url?: string
  /** Actor and author of the delivered event. */
  actor_id?: number
  author_id?: number
  /** The scripts that it is limited to; all by default. Only with an owner. */
  script_ids?: number[]
}

/** Inserts a webhook for all events with one delivery in its log. */
export async function makeWebhook(
  db: Database,
  { owner_id, url = 'https://example.com/hook', actor_id, author_id, script_ids }: WebhookValues = {},
  secretKey: Buffer = Buffer.from('5e'.repeat(32), 'hex'),
): Promise<{ id: number; deliveryId: number }> {
  const seal = createSeal(secretKey, 'webhooks')
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date(), data: { message: 'Hello.' } })
  // A concurrent attack may delete the webhook as soon as it is visible.
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('webhooks')
      .values({
        owner_id: owner_id ?? null,
        sealed_url: seal.seal(url),
        sealed_secret: seal.seal(createSecret()),
        format: 'json',
        script_ids: (owner_id !== undefined && script_ids) || null,
        events: ['version.published', 'review.posted', 'comment.posted', 'behavior.changed', 'giveaway.ended'],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const event = await trx
      .insertInto('webhook_events')
      .values({ type: 'webhook.test', body, actor_id: actor_id ?? null, author_id: author_id ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const delivery = await trx
      .insertInto('webhook_deliveries')
      .values({ webhook_id: id, event_id: event.id, lane: 0, state: 'delivered', attempts: 1, status: 204 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, deliveryId: delivery.id }
  })
}
