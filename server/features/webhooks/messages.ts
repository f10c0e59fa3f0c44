// The request for an event: signed JSON (Standard Webhooks 1.0), or a message for Discord.
import { createHmac, randomBytes } from 'node:crypto'
import { plainText } from '@scriptyard/markdown'
import { CAPABILITIES, type CapabilityId } from '#contract/behavior-names.ts'
import type { WebhookData, WebhookEventType } from '#contract/webhooks.ts'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const createSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface StoredEvent {
  key: string
  type: string
  body: string
}

/** Headers and body of an event, signed with each secret. `now` is in milliseconds. */
export function toJsonMessage({ key, body }: StoredEvent, secrets: readonly string[], now: number) {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    return `v1,${hmac.update(`${key}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    headers: { 'webhook-id': key, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') },
    body,
  }
}

type Body = { [T in WebhookEventType]: { type: T; timestamp: string; data: WebhookData<T> } }[WebhookEventType]

/** Limits of Discord; descriptions may be longer than what is pleasant to read. */
const MAX_TITLE = 256
const MAX_DESCRIPTION = 1000
const MAX_USERNAME = 80
const FORBIDDEN_USERNAME = /discord|clyde|^\s*$/i
const COLOR = 0x63_66_f1

/** The same event as a Discord message with one embed. It mentions nobody. */
export function toDiscordMessage({ body }: StoredEvent, siteName: string) {
  const event = JSON.parse(body) as Body
  const { title, text, url } = describe(event)
  const embed = {
    title: cut(title, MAX_TITLE),
    ...(text && { description: cut(text, MAX_DESCRIPTION) }),
    ...(url && { url }),
    color: COLOR,
    timestamp: event.timestamp,
  }
  return {
    headers: {},
    body: JSON.stringify({
      ...(!FORBIDDEN_USERNAME.test(siteName) && { username: cut(siteName, MAX_USERNAME) }),
      embeds: [embed],
      allowed_mentions: { parse: [] },
    }),
  }
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`

/** Text that Discord shows as it is. */
const plain = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]()#@:-]/g, (character) => `\\${character}`)

function describe({ type, data }: Body): { title: string; text: string; url?: string } {
  switch (type) {
    case 'version.published': {
      const { script, version } = data
      const title = version.is_first ? `New script: ${script.title}` : `${script.title} ${version.name}`
      const text = version.changelog === null ? `By ${script.author.name}` : plainText(version.changelog)
      return { title, text: plain(text), url: script.url }
    }
    case 'version.held': {
      const { script, version } = data
      const reasons = data.reasons.map(({ id, host }) => `+ ${labelOf(id)}${host === null ? '' : ` (${plain(host)})`}`)
      return { title: `${script.title} ${version.name} waits`, text: reasons.join('\n'), url: script.url }
    }
    case 'version.released': {
      const { script, version } = data
      return { title: `${script.title} ${version.name} was released`, text: '', url: script.url }
    }
    case 'version.withdrawn': {
      const { script, version, reason } = data
      return { title: `${script.title} ${version.name} was withdrawn`, text: plain(reason), url: script.url }
    }
    case 'review.posted': {
      const { script, review } = data
      const text = `${'★'.repeat(review.rating)}${'☆'.repeat(5 - review.rating)} ${plain(review.member.name)}`
      const title = `New ${review.text === null ? 'rating' : 'review'} of ${script.title}`
      return { title, text: review.text === null ? text : `${text}\n${plain(review.text)}`, url: script.url }
    }
    case 'comment.posted': {
      const { script, comment } = data
      const text = `${plain(comment.member.name)}: ${plain(comment.text)}`
      return { title: `New comment on ${script.title}`, text, url: comment.url }
    }
    case 'behavior.changed': {
      const { script, version } = data
      const lines = [
        ...data.starts.map((id) => `+ ${labelOf(id)}`),
        ...data.stops.map((id) => `− ${labelOf(id)}`),
        ...data.hosts_added.map((host) => `+ ${plain(host)}`),
        ...data.hosts_removed.map((host) => `− ${plain(host)}`),
      ]
      return { title: `${script.title} ${version.name} behaves differently`, text: lines.join('\n'), url: script.url }
    }
    case 'giveaway.ended': {
      const { title, winner_count, url } = data.giveaway
      const text = winner_count === 1 ? 'One winner was drawn.' : `${winner_count} winners were drawn.`
      return { title: `Giveaway ended: ${title}`, text, url }
    }
    default:
      return { title: 'Test', text: plain(data.message) }
  }
}

const labelOf = (id: string): string => CAPABILITIES[id as CapabilityId] ?? id.replaceAll('_', ' ')
