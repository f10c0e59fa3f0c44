import Type, { type Static } from 'typebox'
import { MAX_PAGE_SIZE, NOTIFICATION_KINDS } from './limits.ts'
import { cursor, nextCursor, strict, time, type Operation } from './operation.ts'

const MAX_ID = 9_007_199_254_740_991
const id = Type.Integer({ minimum: 1, maximum: MAX_ID })

export const Notification = Type.Object({
  id: Type.Integer(),
  type: Type.Enum(['success', 'warning', 'error', 'info']),
  title: Type.String(),
  message: Type.String(),
  link: Type.Union([Type.String({ description: 'Path on this site' }), Type.Null()]),
  is_read: Type.Boolean(),
  subscription: Type.Union(
    [Type.Object({ kind: Type.Enum(['author', 'script']), id: Type.Integer(), name: Type.String() }), Type.Null()],
    { description: 'The followed author or the watched script that caused it' },
  ),
  created_at: time,
})
export type Notification = Static<typeof Notification>

const InboxResult = Type.Object({ message: Type.String(), unread_count: Type.Integer() })

/** The kinds of event the member is notified of. Messages from admins and sanctions are always delivered. */
export const NotificationSettings = Type.Object(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, Type.Boolean()])) as Record<
    (typeof NOTIFICATION_KINDS)[number],
    ReturnType<typeof Type.Boolean>
  >,
  strict,
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const notificationOperations = {
  'GET /api/user-notifications': {
    access: 'member',
    tolerant: true,
    scope: 'notifications:read',
    stable: { route: 'GET /api/v1/notifications' },
    summary: "The caller's notifications, newest first, and the number of all unread ones",
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE }),
      cursor,
    }),
    response: {
      200: Type.Object({
        notifications: Type.Array(Notification),
        unread_count: Type.Integer(),
        pagination: Type.Object({ next_cursor: nextCursor }),
      }),
    },
  },
  'POST /api/user-notifications': {
    access: 'member',
    tolerant: true,
    scope: 'notifications:write',
    summary: 'Mark one or all notifications as read',
    body: Type.Object(
      {
        action: Type.Enum(['mark_read']),
        notification_id: Type.Optional(id),
        mark_all_read: Type.Optional(Type.Boolean()),
      },
      strict,
    ),
    response: { 200: InboxResult },
  },
  'DELETE /api/user-notifications': {
    access: 'member',
    tolerant: true,
    scope: 'notifications:write',
    stable: { route: 'DELETE /api/v1/notifications/{id}', path: { id: 'notification_id' } },
    summary: 'Delete one notification, or all read ones if no id is given',
    query: Type.Object({ notification_id: Type.Optional(id) }),
    response: { 200: InboxResult },
  },
  'GET /api/notification-stream': {
    access: 'member',
    summary:
      'Server-sent events (text/event-stream): `changed` when the caller should fetch notifications. Ends with the session',
    response: { 200: Type.String() },
  },
  'GET /api/notification-settings': {
    access: 'member',
    summary: 'The kinds of event the caller is notified of',
    response: { 200: NotificationSettings },
  },
  'PUT /api/notification-settings': {
    access: 'member',
    summary: 'Change which kinds of event the caller is notified of; omitted fields stay as they are',
    body: Type.Partial(NotificationSettings, strict),
    response: { 200: NotificationSettings },
  },
} as const satisfies Record<string, Operation>
