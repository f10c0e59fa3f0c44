import Type, { type Static } from 'typebox'
import { CAPABILITY_IDS } from './behavior-names.ts'
import { MAX_URL_LENGTH, MAX_WEBHOOK_SCRIPTS, WEBHOOK_EVENTS, WEBHOOK_FORMATS } from './limits.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'
import { WITHDRAWERS } from './version-states.ts'
import { HoldReason } from './versions.ts'

const url = Type.String({ format: 'uri' })

const Person = Type.Object({ id: Type.Integer(), name: Type.String(), url })
const EventScript = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  slug: Type.String(),
  url,
  author: Person,
})
const EventVersion = Type.Object({
  number: Type.Integer({ description: 'Rises by 1 with each version' }),
  name: Type.String({ description: 'Such as 1.2.0' }),
})

const HeldReason = Type.Pick(HoldReason, ['id', 'host', 'line'])

/** The `data` of the body, by type of event. */
const EVENT_DATA = {
  'version.published': Type.Object({
    script: EventScript,
    version: Type.Object({
      ...EventVersion.properties,
      changelog: Type.Union([Type.String(), Type.Null()], { description: 'What changed: the first line, as Markdown' }),
      is_first: Type.Boolean({ description: 'Whether the script has just become public' }),
    }),
  }),
  'version.held': Type.Object({
    script: EventScript,
    version: EventVersion,
    reasons: Type.Array(HeldReason),
  }),
  'version.released': Type.Object({ script: EventScript, version: EventVersion }),
  'version.withdrawn': Type.Object({
    script: EventScript,
    version: Type.Object({ ...EventVersion.properties, sha256: Type.String() }),
    by: Type.Enum([...WITHDRAWERS]),
    reason: Type.String(),
    is_malicious: Type.Boolean(),
    current: Type.Union([EventVersion, Type.Null()], {
      description: 'The version that visitors get from now on; null if there is none',
    }),
  }),
  'review.posted': Type.Object({
    script: EventScript,
    review: Type.Object({ rating: Type.Integer({ minimum: 1, maximum: 5 }), text: nullableText, member: Person }),
  }),
  'comment.posted': Type.Object({
    script: EventScript,
    comment: Type.Object({
      id: Type.Integer(),
      parent_id: Type.Union([Type.Integer(), Type.Null()], { description: 'The comment at the top of the thread' }),
      text: Type.String({ description: 'Markdown' }),
      url,
      member: Person,
    }),
  }),
  'behavior.changed': Type.Object({
    script: EventScript,
    version: EventVersion,
    starts: Type.Array(Type.Enum(CAPABILITY_IDS), { description: 'Capabilities that the former version did not have' }),
    stops: Type.Array(Type.Enum(CAPABILITY_IDS)),
    hosts_added: Type.Array(Type.String()),
    hosts_removed: Type.Array(Type.String()),
  }),
  'giveaway.ended': Type.Object({
    giveaway: Type.Object({ id: Type.Integer(), title: Type.String(), winner_count: Type.Integer(), url }),
  }),
  'webhook.test': Type.Object({ message: Type.String() }),
}

export type WebhookEventType = keyof typeof EVENT_DATA
export type WebhookData<T extends WebhookEventType> = Static<(typeof EVENT_DATA)[T]>

const DESCRIPTIONS: Record<WebhookEventType, string> = {
  'version.published': 'A public script has a new version, or a script became public',
  'version.held': 'A version waits, because it would start something serious',
  'version.released': 'A version that was held has become current',
  'version.withdrawn': 'A version was withdrawn. Stop using its code',
  'review.posted': 'A member rated or reviewed a script for the first time',
  'comment.posted': 'A member commented on a script or replied to a comment',
  'behavior.changed': 'A new version of a script behaves differently from the one before',
  'giveaway.ended': 'The winners of a giveaway were drawn (webhooks of the site only)',
  'webhook.test': 'The owner of the webhook sent a test',
}

export const webhookMessages = (Object.keys(EVENT_DATA) as WebhookEventType[]).map((type) => ({
  type,
  summary: DESCRIPTIONS[type],
  body: Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
    data: EVENT_DATA[type],
  }),
}))

export const Webhook = Type.Object({
  id: Type.Integer(),
  url: Type.String(),
  format: Type.Enum(WEBHOOK_FORMATS, { description: '`discord` sends a message in the form of a Discord webhook' }),
  events: Type.Array(Type.Enum(WEBHOOK_EVENTS)),
  scripts: Type.Union([Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() })), Type.Null()], {
    description: 'The scripts that it is limited to, without those that were deleted. Null: all',
  }),
  is_enabled: Type.Boolean(),
  disabled_reason: Type.Union([Type.Enum(['owner', 'failures', 'gone']), Type.Null()], {
    description: '`failures`: nothing was delivered for 24 hours. `gone`: the URL answered with status 410',
  }),
  failing_since: nullableTime,
  last_succeeded_at: nullableTime,
  former_secret_until: Type.Union([time, Type.Null()], {
    description: 'After a rotation, deliveries are also signed with the former secret until then',
  }),
  created_at: time,
})
export type Webhook = Static<typeof Webhook>

export const WebhookDelivery = Type.Object({
  id: Type.Integer(),
  event_id: Type.String({ description: 'The header `webhook-id`. The same if an event is sent again' }),
  type: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'Title of the script or giveaway' }),
  state: Type.Enum(['waiting', 'delivered', 'failed']),
  attempts: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last response' }),
  duration_ms: Type.Union([Type.Integer(), Type.Null()]),
  error: nullableText,
  response: Type.Union([Type.String(), Type.Null()], { description: 'First KB of the last response' }),
  body: Type.String({ description: 'The JSON of the event' }),
  created_at: time,
  attempted_at: nullableTime,
  next_attempt_at: Type.Union([time, Type.Null()], { description: 'Null unless the delivery waits' }),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

const events = Type.Array(Type.Enum(WEBHOOK_EVENTS), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
})
const address = Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH })
const format = Type.Optional(Type.Enum(WEBHOOK_FORMATS))
const scriptIds = Type.Optional(
  Type.Union([Type.Array(id, { minItems: 1, maxItems: MAX_WEBHOOK_SCRIPTS, uniqueItems: true }), Type.Null()], {
    description: "Limits it to these scripts, which must be the caller's. Null: all scripts, including future ones",
  }),
)
const MAX_DELIVERY_ID = 9_007_199_254_740_991
const deliveryId = Type.Integer({ minimum: 1, maximum: MAX_DELIVERY_ID })
const secret = Type.String({ description: 'Begins with `whsec_`. It is not shown again' })

const list = { response: { 200: Type.Object({ webhooks: Type.Array(Webhook) }) } }
const created = { 201: Type.Object({ webhook: Webhook, secret }) }
const newWebhook = { url: address, events, format }
const changed = { 200: Type.Object({ webhook: Webhook }) }
const changes = {
  id,
  url: Type.Optional(address),
  events: Type.Optional(events),
  format,
  is_enabled: Type.Optional(Type.Boolean()),
}
const remove = { query: Type.Object({ id }), response: { 200: Type.Object({ message: Type.String() }) } }
const rotate = {
  body: Type.Object({ id }, strict),
  response: { 200: Type.Object({ webhook: Webhook, secret }) },
}
const log = {
  query: Type.Object({ id, before_id: Type.Optional(deliveryId) }),
  response: {
    200: Type.Object({ deliveries: Type.Array(WebhookDelivery), has_more: Type.Boolean() }),
  },
}
const send = {
  body: Type.Union([
    Type.Object({ action: Type.Literal('test'), id }, strict),
    Type.Object({ action: Type.Literal('send_again'), delivery_id: deliveryId }, strict),
  ]),
  response: { 202: Type.Object({ delivery: WebhookDelivery }) },
}

export const webhookOperations = {
  'GET /api/webhooks': { access: 'member', summary: "The caller's webhooks, oldest first", ...list },
  'POST /api/webhooks': {
    access: 'member',
    summary:
      "Create a webhook for events of the caller's scripts. Deliveries follow the Standard Webhooks specification",
    body: Type.Object({ ...newWebhook, script_ids: scriptIds }, strict),
    response: created,
  },
  'PUT /api/webhooks': {
    access: 'member',
    summary: 'Change a webhook, turn it off or on again; omitted fields stay as they are',
    body: Type.Object({ ...changes, script_ids: scriptIds }, strict),
    response: changed,
  },
  'DELETE /api/webhooks': { access: 'member', summary: 'Delete a webhook and its log', ...remove },
  'POST /api/webhook-secret': {
    access: 'member',
    summary: 'Replace the secret of a webhook. For 24 hours both secrets sign',
    ...rotate,
  },
  'GET /api/webhook-deliveries': {
    access: 'member',
    summary: 'Deliveries of a webhook in the last 30 days, newest first',
    ...log,
  },
  'POST /api/webhook-deliveries': {
    access: 'member',
    limit: 'webhook',
    summary: 'Send a test, or a former event again',
    ...send,
  },
} as const satisfies Record<string, Operation>

export const siteWebhookOperations = {
  'GET /api/site-webhooks': { access: 'admin', summary: 'The webhooks of the site, oldest first (admins)', ...list },
  'POST /api/site-webhooks': {
    access: 'admin',
    summary: 'Create a webhook for events of all public scripts (admins)',
    body: Type.Object(newWebhook, strict),
    response: created,
  },
  'PUT /api/site-webhooks': {
    access: 'admin',
    summary: 'Change a webhook of the site (admins)',
    body: Type.Object(changes, strict),
    response: changed,
  },
  'DELETE /api/site-webhooks': { access: 'admin', summary: 'Delete a webhook of the site (admins)', ...remove },
  'POST /api/site-webhook-secret': {
    access: 'admin',
    summary: 'Replace the secret of a webhook of the site (admins)',
    ...rotate,
  },
  'GET /api/site-webhook-deliveries': {
    access: 'admin',
    summary: 'Deliveries of a webhook of the site (admins)',
    ...log,
  },
  'POST /api/site-webhook-deliveries': {
    access: 'admin',
    limit: 'webhook',
    summary: 'Send a test, or a former event again (admins)',
    ...send,
  },
} as const satisfies Record<string, Operation>
