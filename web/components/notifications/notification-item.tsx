import Check from 'lucide-react/icons/check'
import Trash2 from 'lucide-react/icons/trash'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Notification } from '#contract/notifications.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { lookOf } from './notification-look.ts'

interface Props {
  notification: Notification
  onRead: () => void
  onDelete: () => void
  /** It leads somewhere, and the member goes there. */
  onFollow: () => void
}

export function NotificationItem({ notification, onRead, onDelete, onFollow }: Props) {
  const { type, title, message, link, is_read, created_at } = notification
  const { icon: Icon, colour, word } = lookOf(type)
  return (
    <li
      className={`relative flex gap-3 border-t border-line px-4 pt-3 pb-1 ${is_read ? '' : 'bg-surface-2'} ${link ? 'hover:bg-surface-3' : ''}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colour}`} />
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
          <div className="relative flex">
            {!is_read && <IconButton icon={Check} label="Mark as read" title="Mark as read" onClick={onRead} />}
            <IconButton icon={Trash2} label="Delete" title="Delete" data-delete onClick={onDelete} />
          </div>
        </div>
      </div>
    </li>
  )
}

/** The whole notification is the link. */
function Title({ link, onFollow, children }: { link: string | null; onFollow: () => void; children: ReactNode }) {
  if (!link) return children
  return (
    <Link to={link} onClick={onFollow} className="after:absolute after:inset-0">
      {children}
    </Link>
  )
}
