import Bell from 'lucide-react/icons/bell'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { PopoverPanel } from '#web/ui/popover-panel.tsx'
import { badgeText, createInbox, type InboxState } from './inbox.ts'
import { NotificationPanel } from './notification-panel.tsx'

/** Button with the unread count, which opens the notifications. Keyed by member: it does not support a change of `memberId`. */
export function NotificationBell({ memberId }: { memberId: number }) {
  const api = useApi()
  const [inbox] = useState(() => createInbox(api, memberId))
  useEffect(() => inbox.start(), [inbox])
  const state = useSyncExternalStore(inbox.subscribe, inbox.get)
  const { unreadCount } = state
  const badge = badgeText(unreadCount)
  return (
    <>
      <PopoverPanel
        label={badge ? `Notifications, ${badge} unread` : 'Notifications'}
        title="Notifications"
        buttonClass={`${iconButtonClass} relative`}
        className="w-96"
        button={
          <>
            <Bell aria-hidden className="size-5" />
            {badge && (
              <span className="absolute top-0.5 right-0.5 min-w-5 rounded-full bg-accent-strong px-1 text-center text-xs leading-5 font-semibold text-on-accent tabular-nums">
                {badge}
              </span>
            )}
          </>
        }
      >
        <NotificationPanel inbox={inbox} state={state} />
      </PopoverPanel>
      <UnreadAnnouncer state={state} />
    </>
  )
}

/** Announces new notifications to screen readers, but not those that were unread when the page loaded. */
function UnreadAnnouncer({ state: { status, unreadCount } }: { state: InboxState }) {
  const [previous, setPrevious] = useState<number>()
  const [announcement, setAnnouncement] = useState('')
  if (status === 'ready' && previous !== unreadCount) {
    setPrevious(unreadCount)
    if (previous !== undefined) setAnnouncement(unreadCount > previous ? `${unreadCount} unread notifications` : '')
  }
  return (
    <output aria-live="polite" className="sr-only">
      {announcement}
    </output>
  )
}
