import BellRing from 'lucide-react/icons/bell-ring'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useContext, useRef } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import type { Notification } from '#contract/notifications.ts'
import { Button } from '#web/ui/button.tsx'
import { ClosePanel } from '#web/ui/popover-panel.tsx'
import type { Inbox } from './create-inbox.ts'
import type { InboxState } from './inbox-state.ts'
import { NotificationItem } from './notification-item.tsx'

interface Props {
  inbox: Inbox
  state: InboxState
}

export function NotificationPanel({ inbox, state }: Props) {
  const { notifications, unreadCount } = state
  const panel = useRef<HTMLDivElement>(null)
  // What was pressed may be gone afterwards, and the focus with it.
  const actOnAll = async (act: () => Promise<void>) => {
    await act()
    panel.current?.querySelector<HTMLElement>('button:enabled')?.focus()
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
        <Button
          variant="ghost"
          size="sm"
          title="Delete all that are read"
          disabled={notifications.length === 0}
          onClick={() => void actOnAll(inbox.remove)}
        >
          Clear
        </Button>
      </div>
      {notifications.length > 0 ? (
        <List inbox={inbox} notifications={notifications} />
      ) : (
        <Nothing status={state.status} onRetry={() => void inbox.refresh()} />
      )}
    </div>
  )
}

function List({ inbox, notifications }: { inbox: Inbox; notifications: readonly Notification[] }) {
  const close = useContext(ClosePanel)
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  const follow = ({ id, link, is_read }: Notification) => {
    if (!is_read) void inbox.markRead(id)
    close()
    // The page that is open already does not load anew by itself.
    if (link && new URL(link, location.origin).pathname === pathname) void revalidate()
  }
  const act = async (deed: Promise<void>, at: number) => {
    const panel = list.current?.closest<HTMLElement>('[popover]')
    await deed
    // What was pressed is gone: the keyboard goes on in the same place, where the next one may have moved up.
    const buttons = panel?.querySelectorAll<HTMLElement>('[data-delete]') ?? []
    const next = buttons[Math.min(at, buttons.length - 1)] ?? panel
    next?.focus()
  }
  return (
    <ul ref={list} aria-label="Notifications" className="max-h-[450px] overflow-y-auto overscroll-contain">
      {notifications.map((notification, at) => (
        <NotificationItem
          key={notification.id}
          notification={notification}
          onRead={() => void act(inbox.markRead(notification.id), at)}
          onDelete={() => void act(inbox.remove(notification.id), at)}
          onFollow={() => follow(notification)}
        />
      ))}
    </ul>
  )
}

function Nothing({ status, onRetry }: { status: InboxState['status']; onRetry: () => void }) {
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
          <p className="text-muted">They appear here once the site answers.</p>
          <Button size="sm" onClick={onRetry} className="mt-2">
            Try again
          </Button>
        </>
      )}
    </div>
  )
}
