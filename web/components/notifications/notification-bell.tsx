import Bell from 'lucide-react/icons/bell'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { PopoverPanel } from '#web/ui/popover-panel.tsx'
import { createInbox } from './create-inbox.ts'
import { badgeText, type InboxState } from './inbox-state.ts'
import { NotificationPanel } from './notification-panel.tsx'

/** The bell of one member; with another member, or none, it is another bell. */
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
      <News state={state} />
    </>
  )
}

/** Says that something new has come to those who do not see the badge; not what was there from the beginning. */
function News({ state: { status, unreadCount } }: { state: InboxState }) {
  const [known, setKnown] = useState<number>()
  const [said, setSaid] = useState('')
  if (status === 'ready' && known !== unreadCount) {
    setKnown(unreadCount)
    if (known !== undefined) setSaid(unreadCount > known ? `${unreadCount} unread notifications` : '')
  }
  return (
    <output aria-live="polite" className="sr-only">
      {said}
    </output>
  )
}
