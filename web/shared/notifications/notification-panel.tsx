import type { LucideIcon } from 'lucide-react'
import BellRing from 'lucide-react/icons/bell-ring'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import CloudOff from 'lucide-react/icons/cloud-off'
import Info from 'lucide-react/icons/info'
import Trash2 from 'lucide-react/icons/trash'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useContext, useRef } from 'react'
import { Link, useLocation, useRevalidator } from '#web/router/router.tsx'
import type { Notification } from '#contract/notifications.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ClosePanel } from '#web/ui/popover-panel.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { Inbox, InboxState } from './inbox.ts'

interface Props {
  inbox: Inbox
  state: InboxState
}

export function NotificationPanel({ inbox, state }: Props) {
  const { notifications, unreadCount } = state
  const panel = useRef<HTMLDivElement>(null)
  // The action may remove the clicked button, which would lose the focus.
  const actOnAll = async (act: () => Promise<void>) => {
    await act()
    const next = panel.current?.querySelector<HTMLElement>('button') ?? panel.current?.closest<HTMLElement>('[popover]')
    next?.focus()
  }
  return (
    <div ref={panel}>
      <div className="flex min-h-12 items-center gap-1 py-1 pr-2 pl-4">
        <h2 className="mr-auto text-base font-semibold">Notifications</h2>
        {unreadCount > 0 && (
          <Button variant="ghost" size="sm" onClick={() => void actOnAll(inbox.markRead)}>
            Read all
          </Button>
        )}
        {notifications.some(({ is_read }) => is_read) && (
          <Button
            variant="ghost"
            size="sm"
            title="Delete read notifications"
            onClick={() => void actOnAll(inbox.remove)}
          >
            Clear
          </Button>
        )}
      </div>
      {notifications.length > 0 ? (
        <List inbox={inbox} notifications={notifications} />
      ) : (
        <EmptyInbox status={state.status} onRetry={() => void inbox.refresh()} />
      )}
    </div>
  )
}

function List({ inbox, notifications }: { inbox: Inbox; notifications: readonly Notification[] }) {
  const close = useContext(ClosePanel)
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  const api = useApi()
  const toast = useToast()
  const follow = ({ id, link, is_read }: Notification) => {
    if (!is_read) void inbox.markRead(id)
    close()
    // A link to the current page does not reload its data.
    if (link && new URL(link, location.origin).pathname === pathname) void revalidate()
  }
  const unsubscribe = async ({ subscription }: Notification) => {
    if (!subscription) return
    const { kind, id, name } = subscription
    try {
      if (kind === 'author') await api('DELETE /api/follows', { query: { user_id: id } })
      else await api('DELETE /api/watches', { query: { script_id: id } })
      toast({
        title: kind === 'author' ? `You no longer follow ${name}` : `You no longer watch ${name}`,
        tone: 'success',
      })
      await inbox.refresh()
    } catch (error) {
      toast({ title: "Couldn't unsubscribe", text: describeActionError(error), tone: 'error' })
    }
  }
  const finish = async (action: Promise<void>, index: number) => {
    const panel = list.current?.closest<HTMLElement>('[popover]')
    await action
    // The clicked button was removed: focus the button that took its position.
    const buttons = panel?.querySelectorAll<HTMLElement>('[data-delete]') ?? []
    const next = buttons[Math.min(index, buttons.length - 1)] ?? panel
    next?.focus()
  }
  return (
    <ul ref={list} aria-label="Notifications" className="max-h-[450px] overflow-y-auto overscroll-contain">
      {notifications.map((notification, index) => (
        <Item
          key={notification.id}
          notification={notification}
          onRead={() => void finish(inbox.markRead(notification.id), index)}
          onDelete={() => void finish(inbox.remove(notification.id), index)}
          onFollow={() => follow(notification)}
          onUnsubscribe={() => void finish(unsubscribe(notification), index)}
        />
      ))}
    </ul>
  )
}

function EmptyInbox({ status, onRetry }: { status: InboxState['status']; onRetry: () => void }) {
  if (status === 'loading') {
    return (
      <output className="block border-t border-line px-4 py-12 text-center text-muted">Loading notifications...</output>
    )
  }
  const Icon = status === 'ready' ? BellRing : CloudOff
  return (
    <div className="flex flex-col items-center gap-1 border-t border-line px-4 py-10 text-center">
      <Icon aria-hidden className="mb-2 size-8 text-muted" />
      {status === 'ready' ? (
        <>
          <p className="font-semibold">All caught up!</p>
          <p className="text-muted">No new notifications</p>
        </>
      ) : (
        <>
          <p className="text-muted">Couldn't load notifications.</p>
          <Button size="sm" onClick={onRetry} className="mt-2">
            Try again
          </Button>
        </>
      )}
    </div>
  )
}

interface ItemProps {
  notification: Notification
  onRead: () => void
  onDelete: () => void
  onFollow: () => void
  onUnsubscribe: () => void
}

function Item({ notification, onRead, onDelete, onFollow, onUnsubscribe }: ItemProps) {
  const { type, title, message, link, is_read, created_at, subscription } = notification
  const { icon: Icon, color, word } = lookOf(type)
  return (
    <li
      className={`relative flex gap-3 border-t border-line px-4 pt-3 pb-1 ${is_read ? '' : 'bg-surface-2'} ${link ? 'hover:bg-surface-3' : ''}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className={`flex items-start justify-between gap-3 ${is_read ? '' : 'font-semibold'}`}>
          <span dir="auto">
            <span className="sr-only">{`${word}${is_read ? '' : ', unread'}: `}</span>
            <Title link={link} onFollow={onFollow}>
              {title}
            </Title>
          </span>
          {!is_read && <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />}
        </p>
        <p dir="auto" className="whitespace-pre-wrap text-muted">
          {message}
        </p>
        <div className="-mr-3 flex min-h-11 items-center justify-between sm:min-h-10">
          <RelativeTime iso={created_at} className="text-xs text-muted" />
          <div className="relative flex items-center">
            {subscription && (
              <Button
                variant="ghost"
                size="sm"
                aria-label={`${subscription.kind === 'author' ? 'Unfollow' : 'Stop watching'} ${subscription.name}`}
                onClick={onUnsubscribe}
              >
                {subscription.kind === 'author' ? 'Unfollow' : 'Stop watching'}
              </Button>
            )}
            {link?.endsWith('#waiting') && (
              <LinkButton variant="ghost" size="sm" to={link.replace(/#waiting$/, '#not-me')} onClick={onFollow}>
                This wasn't me
              </LinkButton>
            )}
            {!is_read && <IconButton icon={Check} label="Mark as read" title="Mark as read" onClick={onRead} />}
            <IconButton icon={Trash2} label="Delete" title="Delete" data-delete onClick={onDelete} />
          </div>
        </div>
      </div>
    </li>
  )
}

/** The title's link covers the whole notification. */
function Title({ link, onFollow, children }: { link: string | null; onFollow: () => void; children: ReactNode }) {
  if (!link) return children
  return (
    <Link to={link} onClick={onFollow} className="after:absolute after:inset-0">
      {children}
    </Link>
  )
}

interface Look {
  icon: LucideIcon
  color: string
  /** The icon's meaning, for screen readers. */
  word: string
}

const INFO: Look = { icon: Info, color: 'text-accent', word: 'Info' }
const LOOKS = new Map<string, Look>([
  ['info', INFO],
  ['success', { icon: CircleCheck, color: 'text-success', word: 'Success' }],
  ['warning', { icon: TriangleAlert, color: 'text-warning', word: 'Warning' }],
  ['error', { icon: CircleAlert, color: 'text-danger', word: 'Error' }],
])

/** Unknown types look like info. */
const lookOf = (type: string): Look => LOOKS.get(type) ?? INFO
