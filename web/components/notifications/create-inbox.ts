import type { Notification } from '#contract/notifications.ts'
import type { Api } from '#web/lib/client.ts'
import { failed, type InboxState, withoutRemoved, INITIAL_INBOX, markAsRead, received } from './inbox-state.ts'
import { watchInbox } from './watch-inbox.ts'

/** What the tabs of one browser tell each other. */
interface Shared {
  memberId: number
  notifications: readonly Notification[]
  unreadCount: number
}

export interface Inbox {
  get: () => InboxState
  subscribe: (listener: () => void) => () => void
  /** Follows the member's inbox. Answers with the way to stop. */
  start: () => () => void
  refresh: () => Promise<void>
  /** One notification, or all. */
  markRead: (id?: number) => Promise<void>
  /** One notification, or all read ones. */
  remove: (id?: number) => Promise<void>
}

const PATH = 'user-notifications'

/** A member's notifications, for as long as they are signed in and in step with the browser's other tabs. */
export function createInbox(api: Api, memberId: number): Inbox {
  let state = INITIAL_INBOX
  let share: ((inbox: Shared) => void) | undefined
  let running: Promise<void> | undefined
  let isStale = false
  const listeners = new Set<() => void>()

  function set(next: InboxState): void {
    state = next
    for (const listener of listeners) listener()
  }

  function publish(notifications: readonly Notification[], unreadCount: number): void {
    set(received(notifications, unreadCount))
    share?.({ memberId, notifications, unreadCount })
  }

  async function load(): Promise<void> {
    while (isStale) {
      isStale = false
      try {
        const answer = await api(`GET /api/${PATH}`)
        // What changed meanwhile is not in that answer.
        if (!isStale) publish(answer.notifications, answer.unread_count)
      } catch {
        set(failed(state, 'Failed to fetch notifications'))
      }
    }
    running = undefined
  }

  function refresh(): Promise<void> {
    isStale = true
    return (running ??= load())
  }

  async function markRead(id?: number): Promise<void> {
    const body =
      id === undefined
        ? ({ action: 'mark_read', mark_all_read: true } as const)
        : ({ action: 'mark_read', notification_id: id } as const)
    try {
      const { unread_count } = await api(`POST /api/${PATH}`, { body })
      if (running) isStale = true
      publish(markAsRead(state.notifications, id), unread_count)
    } catch {
      set(failed(state, 'Failed to mark as read'))
    }
  }

  async function remove(id?: number): Promise<void> {
    try {
      const query = id === undefined ? {} : { notification_id: id }
      const { unread_count } = await api(`DELETE /api/${PATH}`, { query })
      if (running) isStale = true
      publish(withoutRemoved(state.notifications, id), unread_count)
    } catch {
      set(failed(state, 'Failed to delete notification'))
    }
  }

  function start(): () => void {
    const channel = new BroadcastChannel(PATH)
    share = channel.postMessage.bind(channel)
    channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => {
      // Another member may have signed in over there.
      if (data.memberId === memberId) set(received(data.notifications, data.unreadCount))
    })
    const stop = watchInbox(() => void refresh())
    void refresh()
    return () => {
      stop()
      channel.close()
      share = undefined
    }
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start,
    refresh,
    markRead,
    remove,
  }
}
