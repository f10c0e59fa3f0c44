import Ellipsis from 'lucide-react/icons/ellipsis'
import KeyRound from 'lucide-react/icons/key-round'
import Pencil from 'lucide-react/icons/pencil'
import Power from 'lucide-react/icons/power'
import PowerOff from 'lucide-react/icons/power-off'
import Trash from 'lucide-react/icons/trash'
import { useState } from 'react'
import type { Webhook } from '#contract/webhooks.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { timeText } from '#web/lib/dates.ts'
import { useLocation, useNavigate, useQuery } from '#web/router/router.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { useWebhookCalls } from './calls.ts'
import { describeStatus, eventLabel, shownUrl } from './webhook-texts.ts'

/** This page with the deliveries of a webhook, or without. */
export function useUrlOf(id: number | undefined): string {
  const { pathname } = useLocation()
  const query = new URLSearchParams(useQuery())
  query.delete('webhook')
  if (id !== undefined) query.set('webhook', String(id))
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

interface Props {
  webhook: Webhook
  isSite: boolean
  reload: () => Promise<void>
  onOpen: (kind: 'edit' | 'delete' | 'replace') => void
}

/** A webhook with its status and actions. */
export function WebhookRow({ webhook, isSite, reload, onOpen }: Props) {
  const { id, url, is_enabled } = webhook
  const logUrl = useUrlOf(id)
  const { isBusy, sendTest, turn } = useRowActions({ id, isSite, logUrl, reload })
  const name = shownUrl(url)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <WebhookInfo webhook={webhook} name={name} />
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
        <WebhookMenu webhook={webhook} name={name} onTurn={(isOn) => void turn(isOn)} onOpen={onOpen} />
      </div>
    </li>
  )
}

interface RowActions {
  id: number
  isSite: boolean
  logUrl: string
  reload: () => Promise<void>
}

function useRowActions({ id, isSite, logUrl, reload }: RowActions) {
  const calls = useWebhookCalls(isSite)
  const run = useAction()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
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
  return { isBusy, sendTest, turn }
}

function WebhookInfo({ webhook, name }: { webhook: Webhook; name: string }) {
  const { format, events, scripts, last_succeeded_at, former_secret_until } = webhook
  const status = describeStatus(webhook)
  return (
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
  )
}

interface MenuProps extends Pick<Props, 'webhook' | 'onOpen'> {
  name: string
  onTurn: (isOn: boolean) => void
}

function WebhookMenu({ webhook: { format, is_enabled }, name, onTurn, onOpen }: MenuProps) {
  return (
    <Menu
      label={`Actions for ${name}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuAction icon={Pencil} onSelect={() => onOpen('edit')}>
        Edit
      </MenuAction>
      <MenuAction icon={is_enabled ? PowerOff : Power} onSelect={() => onTurn(!is_enabled)}>
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
  )
}
