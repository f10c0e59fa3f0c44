import Type, { type Static } from 'typebox'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'
import type { Operation } from './operation.ts'

const MAX_ID = 9_007_199_254_740_991
const id = Type.Integer({ minimum: 1, maximum: MAX_ID })

export const Notification = Type.Object({
  id: Type.Integer(),
  type: Type.Enum(['success', 'warning', 'error', 'info']),
  title: Type.String(),
  message: Type.String(),
  link: Type.Union([Type.String({ description: 'Path on this site' }), Type.Null()]),
  is_read: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
})
export type Notification = Static<typeof Notification>

const Marked = Type.Object({ message: Type.String(), unread_count: Type.Integer() })

/** Which kinds of event the member wants to hear of. What admins send, and sanctions, always arrive. */
export const NotificationSettings = Type.Object(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, Type.Boolean()])) as Record<
    (typeof NOTIFICATION_KINDS)[number],
    ReturnType<typeof Type.Boolean>
  >,
  { additionalProperties: false },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const notificationOperations = {
  'GET /api/user-notifications': {
    summary: "The caller's newest notifications, at most 100, and how many are unread in all",
    response: { 200: Type.Object({ notifications: Type.Array(Notification), unread_count: Type.Integer() }) },
  },
  'POST /api/user-notifications': {
    summary: 'Mark one notification read, or all',
    body: Type.Object(
      {
        action: Type.Enum(['mark_read']),
        notification_id: Type.Optional(id),
        mark_all_read: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    response: { 200: Marked },
  },
  'DELETE /api/user-notifications': {
    summary: 'Delete one notification; all read ones without an id',
    query: Type.Object({ notification_id: Type.Optional(id) }),
    response: { 200: Marked },
  },
  'GET /api/notification-stream': {
    summary:
      'Server-sent events (text/event-stream): `changed` whenever the caller has reason to ask for notifications again. Ends with the session',
    response: { 200: Type.String() },
  },
  'GET /api/notification-settings': {
    summary: 'Which kinds of event the caller hears of',
    response: { 200: NotificationSettings },
  },
  'PUT /api/notification-settings': {
    summary: 'Choose which kinds of event to hear of; what is left out stays',
    body: Type.Partial(NotificationSettings, { additionalProperties: false }),
    response: { 200: NotificationSettings },
  },
} as const satisfies Record<string, Operation>
