import WebhookIcon from 'lucide-react/icons/webhook'
import { useEffect, useRef, useState } from 'react'
import type { Webhook } from '#contract/webhooks.ts'
import { SecretBox } from '#web/ui/secret-box.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { Link, useQuery } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'
import { useWebhookCalls } from './calls.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { useUrlOf, WebhookRow } from './webhook-row.tsx'

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

type Opened = { kind: 'new' } | { kind: 'edit' | 'delete' | 'replace'; webhook: Webhook }

function WebhookList({ isSite, maxWebhooks, webhooks, reload }: Props) {
  const [opened, setOpened] = useState<Opened>()
  const [created, setCreated] = useState<CreatedWebhook>()
  const { target: list, focusAfterDialog } = useFocusAfterDialog<HTMLUListElement>(opened !== undefined)
  const isFull = webhooks.length >= maxWebhooks
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
        <EmptyState icon={WebhookIcon} title="No webhooks" text="Add one to get the first event." />
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
      {opened && (
        <OpenedDialog
          opened={opened}
          isSite={isSite}
          reload={reload}
          onSecret={setCreated}
          onDeleted={(id) => {
            if (created?.webhook.id === id) setCreated(undefined)
            focusAfterDialog()
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

interface CreatedWebhook {
  webhook: Webhook
  secret: string
}

interface DialogProps {
  isSite: boolean
  reload: () => Promise<void>
  /** Undefined if there is no new secret to show. */
  onSecret: (created: CreatedWebhook | undefined) => void
  onDeleted: (id: number) => void
  onClose: () => void
}

function OpenedDialog({ opened, ...props }: DialogProps & { opened: Opened }) {
  const { isSite, reload, onSecret, onClose } = props
  if (opened.kind === 'replace') return <ReplaceSecretDialog webhook={opened.webhook} {...props} />
  if (opened.kind === 'delete') return <DeleteDialog webhook={opened.webhook} {...props} />
  return (
    <WebhookDialog
      isSite={isSite}
      webhook={opened.kind === 'edit' ? opened.webhook : undefined}
      onSaved={(result) => {
        // Messages for Discord are not signed.
        if ('secret' in result) onSecret(result.webhook.format === 'json' ? result : undefined)
        void reload()
      }}
      onClose={onClose}
    />
  )
}

function ReplaceSecretDialog({ webhook, isSite, reload, onSecret, onClose }: DialogProps & { webhook: Webhook }) {
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const replace = async () => {
    const messages = { success: 'Secret replaced', failure: "Couldn't replace the secret" }
    onSecret(await run(() => calls.replaceSecret(webhook.id), messages))
    await reload()
  }
  return (
    <ConfirmDialog
      title="Replace the signing secret?"
      text="The new secret is shown once. For 24 hours requests are signed with both secrets, so that your server can switch."
      confirmLabel="Replace secret"
      busyLabel="Replacing..."
      tone="primary"
      onConfirm={replace}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ webhook, isSite, reload, onDeleted, onClose }: DialogProps & { webhook: Webhook }) {
  const { id, url } = webhook
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const remove = async () => {
    await run(() => calls.remove(id), {
      success: url ? `Deleted the webhook to ${hostOf(url)}` : 'Deleted the webhook',
      failure: "Couldn't delete the webhook",
    })
    onDeleted(id)
    await reload()
  }
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      text="Its URL no longer receives events, and its delivery log is deleted. This cannot be undone."
      confirmLabel="Delete webhook"
      busyLabel="Deleting..."
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
