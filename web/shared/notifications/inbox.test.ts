import { expect, test } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import type { Api } from '#web/lib/client.ts'
import {
  badgeText,
  createInbox,
  createSharedState,
  failed,
  withoutRemoved,
  INITIAL_INBOX,
  markAsRead,
  received,
} from './inbox.ts'

const notification = (id: number, is_read: boolean): Notification => ({
  id,
  type: 'info',
  title: `Title ${id}`,
  message: '',
  link: null,
  subscription: null,
  is_read,
  created_at: '2026-01-01T00:00:00.000Z',
})
const three = [notification(1, false), notification(2, true), notification(3, false)]
const ids = (notifications: Notification[]) => notifications.map(({ id }) => id)

test('marks one notification as read, or all without an id', () => {
  expect(markAsRead(three, 1).map(({ is_read }) => is_read)).toEqual([true, true, false])
  expect(markAsRead(three, undefined).every(({ is_read }) => is_read)).toBe(true)
})

test('removes one notification, or all read ones without an id', () => {
  expect(ids(withoutRemoved(three, 3))).toEqual([1, 2])
  expect(ids(withoutRemoved(three, undefined))).toEqual([1, 3])
})

test('never shows a negative count', () => {
  expect(received([], -1).unreadCount).toBe(0)
})

test('stays ready if a later request fails', () => {
  expect(failed(INITIAL_INBOX, 'Failed to fetch notifications').status).toBe('failed')
  expect(failed(received(three, 2), 'Failed to mark as read')).toMatchObject({ status: 'ready', unreadCount: 2 })
})

test('shares a list with the other tabs of the same member', async () => {
  const [here, there, another] = [createSharedState(1), createSharedState(1), createSharedState(2)]
  const closers = [here, there, another].map((state) => state.open())
  const arrived = new Promise<void>((resolve) => there.subscribe(resolve))
  here.publish(three, 2)
  await arrived
  expect(there.get()).toEqual(received(three, 2))
  expect(another.get()).toBe(INITIAL_INBOX)
  for (const close of closers) close()
})

test.each(['markRead', 'remove'] as const)(
  'a response to %s that comes after a newer list does not replace its count',
  async (action) => {
    let respond = (_response: { unread_count: number }) => {}
    const api = (name: string) =>
      name.startsWith('GET')
        ? Promise.resolve({ notifications: three, unread_count: 2 })
        : new Promise((resolve) => (respond = resolve))
    const inbox = createInbox(api as unknown as Api, 1)
    const counts: number[] = []
    inbox.subscribe(() => counts.push(inbox.get().unreadCount))
    const changing = inbox[action](1)
    await inbox.refresh()
    respond({ unread_count: 0 })
    await changing
    expect(counts).toEqual([2, 2])
    const alone = inbox[action](1)
    respond({ unread_count: 1 })
    await alone
    expect(counts).toEqual([2, 2, 1])
  },
)

test.each([
  [0, ''],
  [1, '1'],
  [9, '9'],
  [10, '9+'],
  [5000, '9+'],
])('shows %i unread as "%s"', (count, text) => {
  expect(badgeText(count)).toBe(text)
})
