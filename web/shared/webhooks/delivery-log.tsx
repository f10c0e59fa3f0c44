import ArrowLeft from 'lucide-react/icons/arrow-left'
import Inbox from 'lucide-react/icons/inbox'
import { useCallback, useEffect, useState } from 'react'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import { useAction } from '#web/shared/use-action.ts'
import { timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Link } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useWebhookCalls } from './calls.ts'
import { eventLabel, shownUrl } from './webhook-texts.ts'

const SKELETON_ROWS = [0, 1, 2]

/** The deliveries of a webhook in the last 30 days. Polls while deliveries are waiting. */
export function DeliveryLog({ webhook, isSite, listUrl }: { webhook: Webhook; isSite: boolean; listUrl: string }) {
  const { id, format, is_enabled } = webhook
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const { deliveries, hasMore, hasFailed, hasOlderFailed, load, loadOlder } = useDeliveries(id, isSite)
  const [isBusy, setBusy] = useState(false)

  const send = async (delivery?: WebhookDelivery) => {
    setBusy(true)
    try {
      await run(
        () => calls.send(delivery ? { action: 'send_again', delivery_id: delivery.id } : { action: 'test', id }),
        {
          success: delivery ? 'Sending the event again' : 'Sending a test',
          failure: delivery ? "Couldn't send the event again" : "Couldn't send a test",
        },
      )
      await load()
    } catch {
      // The message says why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <Heading url={webhook.url} listUrl={listUrl} />
        {is_enabled && (
          <Button size="sm" disabled={isBusy} onClick={() => void send()}>
            Send test
          </Button>
        )}
      </header>
      {!deliveries && (hasFailed ? <LoadError onRetry={() => void load()} /> : <LoadingRows />)}
      {deliveries?.length === 0 && (
        <EmptyState
          icon={Inbox}
          title="No deliveries"
          text="Events of the last 30 days appear here, with the responses. Send a test to try the webhook out."
        />
      )}
      {deliveries && deliveries.length > 0 && (
        <ul aria-label="Deliveries" className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isDiscord={format === 'discord'}
              onSendAgain={is_enabled ? () => void send(delivery) : undefined}
              isBusy={isBusy}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <div className="flex flex-wrap items-center gap-3">
          {hasOlderFailed && <p role="alert">Couldn't load older deliveries.</p>}
          <Button onClick={() => void loadOlder()}>{hasOlderFailed ? 'Try again' : 'Show older'}</Button>
        </div>
      )}
    </>
  )
}

function Heading({ url, listUrl }: { url: string; listUrl: string }) {
  return (
    <div className="min-w-0">
      <Link
        to={listUrl}
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
      >
        <ArrowLeft aria-hidden className="size-4" />
        All webhooks
      </Link>
      <h3 className="font-semibold wrap-anywhere">
        Deliveries to <bdi>{shownUrl(url)}</bdi>
      </h3>
    </div>
  )
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3">
      <p>Couldn't load the deliveries.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-20" />
      ))}
    </div>
  )
}

const STATES = {
  waiting: { label: 'Waiting', tone: 'warning' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
} as const

function DeliveryRow({
  delivery,
  isDiscord,
  onSendAgain,
  isBusy,
}: {
  delivery: WebhookDelivery
  isDiscord: boolean
  /** Undefined while the webhook is off. */
  onSendAgain: (() => void) | undefined
  isBusy: boolean
}) {
  const { type, subject, state, error, response, body, created_at, next_attempt_at } = delivery
  const { label, tone } = STATES[state]
  const name = subject ? `${eventLabel(type)}: ${subject}` : eventLabel(type)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
          <Pill tone={tone}>{label}</Pill>
        </p>
        <p className="text-sm text-muted tabular-nums">
          <time dateTime={created_at}>{timeText(created_at)}</time>
          {` · ${describeAttempts(delivery)}`}
        </p>
        {error && <p className={`text-sm ${state === 'failed' ? 'text-danger' : 'text-warning'}`}>{error}</p>}
        {state === 'waiting' && delivery.attempts > 0 && next_attempt_at && (
          <p className="text-sm text-muted">Next attempt at {timeText(next_attempt_at)}.</p>
        )}
        <Text title={isDiscord ? 'Original event' : 'Payload'} text={pretty(body)} />
        {response && <Text title="Response" text={response} />}
      </div>
      {onSendAgain && state !== 'waiting' && (
        <Button size="sm" disabled={isBusy} onClick={onSendAgain} aria-label={`Send again: ${name}`}>
          Send again
        </Button>
      )}
    </li>
  )
}

/** For example 'status 500, 120 ms, 3 attempts'. */
function describeAttempts({ attempts, status, duration_ms }: WebhookDelivery): string {
  if (attempts === 0) return 'not sent yet'
  return [
    status === null ? '' : `status ${status}`,
    duration_ms === null ? '' : `${fullCount(duration_ms)} ms`,
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
  ]
    .filter(Boolean)
    .join(', ')
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details className="min-w-0">
      <summary className="min-h-11 cursor-pointer content-center rounded-sm text-sm text-muted hover:text-text sm:min-h-6">
        {title}
      </summary>
      <section
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-80 overflow-auto rounded-sm border border-line bg-surface-0 p-3"
      >
        <pre className="text-sm">{text}</pre>
      </section>
    </details>
  )
}

/** New deliveries are sent within moments, others wait for minutes or hours. */
const FOLLOW_NEW_MS = 1500
const FOLLOW_WAITING_MS = 30_000

interface Log {
  deliveries: WebhookDelivery[] | undefined
  hasMore: boolean
  hasFailed: boolean
  /** Whether the last attempt to load older deliveries failed. Following new ones does not change it. */
  hasOlderFailed: boolean
}

const NOTHING_LOADED: Log = { deliveries: undefined, hasMore: false, hasFailed: false, hasOlderFailed: false }

function useDeliveries(id: number, isSite: boolean) {
  const { listDeliveries } = useWebhookCalls(isSite)
  const [log, setLog] = useState(NOTHING_LOADED)

  const read = useCallback(
    (beforeId: number | undefined, signal: AbortSignal) =>
      listDeliveries(beforeId === undefined ? { id } : { id, before_id: beforeId }, signal).then(
        (page) =>
          setLog(({ deliveries, hasMore, hasOlderFailed }) => ({
            deliveries: mergeDeliveries(deliveries ?? [], page.deliveries),
            // The first page's `has_more` does not describe the end of a longer list.
            hasMore: deliveries && beforeId === undefined ? hasMore : page.has_more,
            hasFailed: false,
            hasOlderFailed: beforeId === undefined && hasOlderFailed,
          })),
        () => {
          if (signal.aborted) return
          setLog((previous) => ({
            ...previous,
            ...(beforeId === undefined ? { hasFailed: true } : { hasOlderFailed: true }),
          }))
        },
      ),
    [id, listDeliveries],
  )
  const load = useCallback((signal = new AbortController().signal) => read(undefined, signal), [read])
  const loadOlder = () => read(log.deliveries?.at(-1)?.id, new AbortController().signal)

  useEffect(() => {
    const request = new AbortController()
    void load(request.signal)
    return () => request.abort()
  }, [load])

  useEffect(() => {
    const waiting = log.deliveries?.filter(({ state }) => state === 'waiting') ?? []
    if (waiting.length === 0) return undefined
    const isNew = waiting.some(({ attempts, status, error }) => attempts === 0 || (status === null && error === null))
    const request = new AbortController()
    const timer = setTimeout(() => void load(request.signal), isNew ? FOLLOW_NEW_MS : FOLLOW_WAITING_MS)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [log, load])
  return { ...log, load: () => load(), loadOlder }
}

/** All deliveries, newest first, in their latest state. */
function mergeDeliveries(previous: WebhookDelivery[], latest: WebhookDelivery[]): WebhookDelivery[] {
  const byId = new Map([...previous, ...latest].map((delivery) => [delivery.id, delivery]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id)
}
