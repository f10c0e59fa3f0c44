import Ellipsis from 'lucide-react/icons/ellipsis'
import KeyRound from 'lucide-react/icons/key-round'
import Pencil from 'lucide-react/icons/pencil'
import Power from 'lucide-react/icons/power'
import PowerOff from 'lucide-react/icons/power-off'
import Trash from 'lucide-react/icons/trash'
import WebhookIcon from 'lucide-react/icons/webhook'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Webhook } from '#contract/webhooks.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { SecretBox } from '#web/ui/secret-box.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { timeText } from '#web/lib/dates.ts'
import { Link, useLocation, useNavigate, useQuery } from '#web/router/router.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { useWebhookCalls } from './calls.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { describeStatus, eventLabel, shownUrl } from './webhook-texts.ts'

interface Props {
  /** Whether these are the webhooks of the site, which admins manage. */
  isSite: boolean
  maxWebhooks: number
  webhooks: readonly Webhook[]
  reload: () => Promise<void>
}

/** The webhooks, or the deliveries of the one that the URL names. */
export function WebhooksView(props: Props) {
  const { webhooks, reload } = props
  const id = Number(useQuery().get('webhook'))
  const shown = webhooks.find((webhook) => webhook.id === id)
  const listUrl = useUrlOf(undefined)
  const isLogShown = shown !== undefined
  const wasLogShown = useRef(false)
  // Deliveries change the status of their webhook in the list.
  useEffect(() => {
    if (wasLogShown.current && !isLogShown) void reload()
    wasLogShown.current = isLogShown
  }, [isLogShown, reload])
  return shown ? (
    <DeliveryLog key={id} webhook={shown} isSite={props.isSite} listUrl={listUrl} />
  ) : (
    <WebhookList {...props} />
  )
}

/** This page with the deliveries of a webhook, or without. */
function useUrlOf(id: number | undefined): string {
  const { pathname } = useLocation()
  const query = new URLSearchParams(useQuery())
  query.delete('webhook')
  if (id !== undefined) query.set('webhook', String(id))
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

type Opened = { kind: 'new' } | { kind: 'edit' | 'delete' | 'replace'; webhook: Webhook }

function WebhookList({ isSite, maxWebhooks, webhooks, reload }: Props) {
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const [opened, setOpened] = useState<Opened>()
  const [created, setCreated] = useState<{ webhook: Webhook; secret: string }>()
  const { list, focusAfterDialog } = useListFocus(opened !== undefined)
  const isFull = webhooks.length >= maxWebhooks

  const remove = async ({ id, url }: Webhook) => {
    await run(() => calls.remove(id), {
      success: url ? `Deleted the webhook to ${hostOf(url)}` : 'Deleted the webhook',
      failure: "Couldn't delete the webhook",
    })
    if (created?.webhook.id === id) setCreated(undefined)
    focusAfterDialog()
    await reload()
  }
  const replaceSecret = async ({ id }: Webhook) => {
    setCreated(
      await run(() => calls.replaceSecret(id), {
        success: 'Secret replaced',
        failure: "Couldn't replace the secret",
      }),
    )
    await reload()
  }
  return (
    <>
      {created && (
        <SecretBox
          key={created.secret}
          title="Copy the signing secret now. You won't see it again."
          label={`Signing secret of ${hostOf(created.webhook.url)}`}
          noun="secret"
          secret={created.secret}
        />
      )}
      {webhooks.length === 0 && (
        <EmptyState
          icon={WebhookIcon}
          title="No webhooks"
          text="A webhook sends events to your URL or to a Discord channel as soon as they happen."
        />
      )}
      <ul ref={list} tabIndex={-1} aria-label="Webhooks" className="divide-y divide-line outline-none">
        {webhooks.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            isSite={isSite}
            reload={reload}
            onOpen={(kind) => setOpened({ kind, webhook })}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="primary" disabled={isFull} onClick={() => setOpened({ kind: 'new' })}>
          <WebhookIcon aria-hidden className="size-4" />
          New webhook
        </Button>
        <Link
          to="/api/docs#webhooks"
          className="inline-flex min-h-11 items-center text-sm text-accent hover:underline sm:min-h-8"
        >
          How to verify signatures
        </Link>
        {isFull && <p className="text-sm text-muted">You have {maxWebhooks} webhooks, which is the limit.</p>}
      </div>
      {(opened?.kind === 'new' || opened?.kind === 'edit') && (
        <WebhookDialog
          isSite={isSite}
          webhook={opened.kind === 'edit' ? opened.webhook : undefined}
          onSaved={(result) => {
            // Messages for Discord are not signed.
            if ('secret' in result) setCreated(result.webhook.format === 'json' ? result : undefined)
            void reload()
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.kind === 'replace' && (
        <ConfirmDialog
          title="Replace the signing secret?"
          text="The new secret is shown once. For 24 hours requests are signed with both secrets, so that your server can switch."
          confirmLabel="Replace secret"
          busyLabel="Replacing..."
          tone="primary"
          onConfirm={() => replaceSecret(opened.webhook)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete this webhook?"
          text="Its URL no longer receives events, and its delivery log is deleted. This cannot be undone."
          confirmLabel="Delete webhook"
          busyLabel="Deleting..."
          onConfirm={() => remove(opened.webhook)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

/** Focuses the list after a dialog whose opener is gone. An effect, because the page is inert until the dialog has closed. */
function useListFocus(isDialogOpen: boolean): {
  list: RefObject<HTMLUListElement | null>
  focusAfterDialog: () => void
} {
  const list = useRef<HTMLUListElement>(null)
  const isDue = useRef(false)
  useEffect(() => {
    if (isDialogOpen || !isDue.current) return
    isDue.current = false
    list.current?.focus()
  }, [isDialogOpen])
  return {
    list,
    focusAfterDialog: () => {
      isDue.current = true
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

function WebhookRow({
  webhook,
  isSite,
  reload,
  onOpen,
}: {
  webhook: Webhook
  isSite: boolean
  reload: () => Promise<void>
  onOpen: (kind: 'edit' | 'delete' | 'replace') => void
}) {
  const { id, url, format, events, scripts, is_enabled, last_succeeded_at, former_secret_until } = webhook
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const logUrl = useUrlOf(id)
  const status = describeStatus(webhook)
  const name = shownUrl(url)

  const act = async (action: () => Promise<unknown>) => {
    setBusy(true)
    await action().catch(() => {})
    setBusy(false)
  }
  const sendTest = () =>
    act(async () => {
      await run(() => calls.send({ action: 'test', id }), {
        success: 'Sending a test',
        failure: "Couldn't send a test",
      })
      await navigate(logUrl)
    })
  const turn = (isOn: boolean) =>
    act(async () => {
      await run(() => calls.change({ id, is_enabled: isOn }), {
        success: isOn ? 'The webhook is on' : 'The webhook is off',
        failure: isOn ? "Couldn't turn the webhook on" : "Couldn't turn the webhook off",
      })
      await reload()
    })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <bdi>{name || 'Unknown URL'}</bdi>
          <Pill tone={status.tone}>{status.label}</Pill>
          {format === 'discord' && <Pill>Discord</Pill>}
        </p>
        <p className="text-sm text-muted">{events.map(eventLabel).join(', ')}</p>
        {scripts && (
          <p className="text-sm text-muted wrap-anywhere">
            {scripts.length > 0
              ? `Only ${scripts.map(({ title }) => `“${title}”`).join(', ')}`
              : 'Its scripts were deleted. Choose others, or delete the webhook.'}
          </p>
        )}
        <p className="text-sm text-muted">
          {last_succeeded_at ? (
            <>
              Last delivered <RelativeTime iso={last_succeeded_at} />
            </>
          ) : (
            'Nothing delivered yet'
          )}
        </p>
        {former_secret_until && (
          <p className="text-sm text-muted">
            Requests are also signed with the previous secret until {timeText(former_secret_until)}.
          </p>
        )}
        {status.text && <p className={status.tone === 'danger' ? 'text-danger' : 'text-warning'}>{status.text}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {is_enabled ? (
          <Button size="sm" disabled={isBusy} onClick={() => void sendTest()} aria-label={`Send test to ${name}`}>
            Send test
          </Button>
        ) : (
          <Button size="sm" disabled={isBusy} onClick={() => void turn(true)} aria-label={`Turn on ${name}`}>
            Turn on
          </Button>
        )}
        <LinkButton size="sm" to={logUrl} aria-label={`Deliveries to ${name}`}>
          Deliveries
        </LinkButton>
        <Menu
          label={`Actions for ${name}`}
          button={<Ellipsis aria-hidden className="size-5" />}
          buttonClass={iconButtonClass}
        >
          <MenuAction icon={Pencil} onSelect={() => onOpen('edit')}>
            Edit
          </MenuAction>
          <MenuAction icon={is_enabled ? PowerOff : Power} onSelect={() => void turn(!is_enabled)}>
            {is_enabled ? 'Turn off' : 'Turn on'}
          </MenuAction>
          {format === 'json' && (
            <MenuAction icon={KeyRound} onSelect={() => onOpen('replace')}>
              Replace secret
            </MenuAction>
          )}
          <MenuAction icon={Trash} tone="danger" onSelect={() => onOpen('delete')}>
            Delete
          </MenuAction>
        </Menu>
      </div>
    </li>
  )
}
