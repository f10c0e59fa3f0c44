import type { Notification } from '#contract/notifications.ts'
import type { Api } from '#web/lib/client.ts'
import { watchInbox } from './live-updates.ts'

/** A member's notifications as last loaded. */
export interface InboxState {
  status: 'loading' | 'ready' | 'failed'
  notifications: readonly Notification[]
  unreadCount: number
  /** The last error. Stored but not shown, because the next poll may succeed. */
  error: string | null
}

export const INITIAL_INBOX: InboxState = { status: 'loading', notifications: [], unreadCount: 0, error: null }

export function received(notifications: readonly Notification[], unreadCount: number): InboxState {
  return { status: 'ready', notifications, unreadCount: Math.max(0, unreadCount), error: null }
}

export function failed(state: InboxState, error: string): InboxState {
  return { ...state, status: state.status === 'loading' ? 'failed' : state.status, error }
}

export function markAsRead(notifications: readonly Notification[], id: number | undefined): Notification[] {
  return notifications.map((each) => (id === undefined || each.id === id ? { ...each, is_read: true } : each))
}

export function withoutRemoved(notifications: readonly Notification[], id: number | undefined): Notification[] {
  return notifications.filter((each) => (id === undefined ? !each.is_read : each.id !== id))
}

/** Text of the unread badge: empty for 0, '9+' above 9. */
export function badgeText(unreadCount: number): string {
  if (unreadCount <= 0) return ''
  return unreadCount > 9 ? '9+' : String(unreadCount)
}

/** Message between the browser's tabs. */
interface InboxMessage {
  memberId: number
  notifications: readonly Notification[]
  unreadCount: number
}

export interface Inbox {
  get: () => InboxState
  subscribe: (listener: () => void) => () => void
  /** Loads the inbox and follows its changes. Returns a function that stops it. */
  start: () => () => void
  refresh: () => Promise<void>
  /** Marks one notification as read, or all without an id. */
  markRead: (id?: number) => Promise<void>
  /** Deletes one notification, or all read ones without an id. */
  remove: (id?: number) => Promise<void>
}

const PATH = 'user-notifications'

/** The state of a member's inbox. `open` shares it with the browser's other tabs, and returns a function that stops it. */
export function createSharedState(memberId: number) {
  let state = INITIAL_INBOX
  let share: ((inbox: InboxMessage) => void) | undefined
  const listeners = new Set<() => void>()

  function set(next: InboxState): void {
    state = next
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    fail: (error: string) => set(failed(state, error)),
    /** Sets the list here and in the other tabs. */
    publish: (notifications: readonly Notification[], unreadCount: number) => {
      set(received(notifications, unreadCount))
      share?.({ memberId, notifications, unreadCount })
    },
    open: () => {
      const channel = new BroadcastChannel(PATH)
      share = channel.postMessage.bind(channel)
      channel.addEventListener('message', ({ data }: MessageEvent<InboxMessage>) => {
        // Another member may have signed in in the other tab.
        if (data.memberId === memberId) set(received(data.notifications, data.unreadCount))
      })
      return () => {
        channel.close()
        share = undefined
      }
    },
  }
}

/** A store of the signed-in member's notifications, synchronized with the browser's other tabs. */
export function createInbox(api: Api, memberId: number): Inbox {
  const state = createSharedState(memberId)
  let running: Promise<void> | undefined
  let isStale = false

  async function load(): Promise<void> {
    while (isStale) {
      isStale = false
      try {
        const response = await api(`GET /api/${PATH}`)
        // The response misses changes made while it was on its way: load again.
        if (!isStale) state.publish(response.notifications, response.unread_count)
      } catch {
        state.fail('Failed to fetch notifications')
      }
    }
    running = undefined
  }

  function refresh(): Promise<void> {
    isStale = true
    return (running ??= load())
  }

  /** Sends a change and shows it. If another list arrived before the response, which may be older, loads the inbox again. */
  async function change(
    send: () => Promise<{ unread_count: number }>,
    apply: (notifications: readonly Notification[]) => Notification[],
    failure: string,
  ): Promise<void> {
    const before = state.get().notifications
    try {
      const { unread_count } = await send()
      if (state.get().notifications !== before) return await refresh()
      if (running) isStale = true
      state.publish(apply(before), unread_count)
    } catch {
      state.fail(failure)
    }
  }

  function markRead(id?: number): Promise<void> {
    const body =
      id === undefined
        ? ({ action: 'mark_read', mark_all_read: true } as const)
        : ({ action: 'mark_read', notification_id: id } as const)
    return change(
      () => api(`POST /api/${PATH}`, { body }),
      (notifications) => markAsRead(notifications, id),
      'Failed to mark as read',
    )
  }

  function remove(id?: number): Promise<void> {
    const query = id === undefined ? {} : { notification_id: id }
    return change(
      () => api(`DELETE /api/${PATH}`, { query }),
      (notifications) => withoutRemoved(notifications, id),
      'Failed to delete notification',
    )
  }

  function start(): () => void {
    const close = state.open()
    const stop = watchInbox(() => void refresh())
    void refresh()
    return () => {
      stop()
      close()
    }
  }

  return { get: state.get, subscribe: state.subscribe, start, refresh, markRead, remove }
}
