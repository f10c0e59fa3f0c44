import { DISCORD_WEBHOOK_URL, type WebhookEvent } from '#contract/limits.ts'
import type { Webhook } from '#contract/webhooks.ts'
import type { PillTone } from '#web/ui/pill.tsx'

export const EVENTS: Record<WebhookEvent, { label: string; text: string }> = {
  'version.published': { label: 'New version', text: 'A script has a new version, or has become public' },
  'version.held': { label: 'Held version', text: 'A version waits, because it would start something serious' },
  'version.released': { label: 'Released version', text: 'A version that was held has become current' },
  'version.withdrawn': { label: 'Withdrawn version', text: 'A version was withdrawn by its author or by moderators' },
  'review.posted': { label: 'Review', text: 'Someone rates or reviews a script for the first time' },
  'comment.posted': { label: 'Comment', text: 'Someone comments on a script or replies' },
  'behavior.changed': { label: 'Changed behavior', text: 'A new version does something that the last one did not' },
  'giveaway.ended': { label: 'Giveaway ended', text: 'The winners of a giveaway were drawn' },
}

/** The name of a type of event; 'Test' for tests. */
export const eventLabel = (type: string): string => (type in EVENTS ? EVENTS[type as WebhookEvent].label : 'Test')

/** The URL, without the token if it is that of a Discord webhook. */
export const shownUrl = (url: string): string =>
  DISCORD_WEBHOOK_URL.test(url) ? `${url.slice(0, url.lastIndexOf('/', url.length - 2))}/…` : url

type Status = Pick<Webhook, 'url' | 'disabled_reason' | 'failing_since'>

/** Whether a webhook works, and what to do if not. */
export function describeStatus({ url, disabled_reason, failing_since }: Status): {
  label: string
  tone: PillTone
  text?: string
} {
  if (url === '') {
    return {
      label: 'Unreadable',
      tone: 'danger',
      text: 'The site lost the key that protects this URL. Delete the webhook and create it again.',
    }
  }
  if (disabled_reason === 'owner') return { label: 'Off', tone: 'neutral' }
  if (disabled_reason === 'failures') {
    return {
      label: 'Turned off',
      tone: 'danger',
      text: 'Nothing could be delivered for 24 hours. Turn it on again when the URL works.',
    }
  }
  if (disabled_reason === 'gone') {
    return {
      label: 'Turned off',
      tone: 'danger',
      text: 'The URL responded with status 410, which says that it no longer exists. Change the URL, or delete the webhook.',
    }
  }
  if (failing_since) {
    return {
      label: 'Failing',
      tone: 'warning',
      text: 'Recent deliveries failed. They are retried for 24 hours, then the webhook is turned off.',
    }
  }
  return { label: 'On', tone: 'success' }
}
