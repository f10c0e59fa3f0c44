import type { Notification } from '#contract/notifications.ts'

/** What a member has been told. */
export interface InboxState {
  status: 'loading' | 'ready' | 'failed'
  notifications: readonly Notification[]
  unreadCount: number
  /** The last failure. It is kept and not shown: the next poll may mend it. */
  error: string | null
}

export const INITIAL_INBOX: InboxState = { status: 'loading', notifications: [], unreadCount: 0, error: null }

/** The state after an answer of the server. */
export function received(notifications: readonly Notification[], unreadCount: number): InboxState {
  return { status: 'ready', notifications, unreadCount: Math.max(0, unreadCount), error: null }
}

export function failed(state: InboxState, error: string): InboxState {
  return { ...state, status: state.status === 'loading' ? 'failed' : state.status, error }
}

/** One notification read, or all of them. */
export function markAsRead(notifications: readonly Notification[], id: number | undefined): Notification[] {
  return notifications.map((one) => (id === undefined || one.id === id ? { ...one, is_read: true } : one))
}

/** What is left without one notification, or without the read ones. */
export function withoutRemoved(notifications: readonly Notification[], id: number | undefined): Notification[] {
  return notifications.filter((one) => (id === undefined ? !one.is_read : one.id !== id))
}

/** What the badge says: nothing without unread ones, 9+ above nine. */
export function badgeText(unreadCount: number): string {
  if (unreadCount <= 0) return ''
  return unreadCount > 9 ? '9+' : String(unreadCount)
}
