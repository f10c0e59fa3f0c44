import Type, { type Static } from 'typebox'
import {
  MAX_BULK,
  MAX_NOTES_LENGTH,
  MAX_NOTIFICATION_LENGTH,
  MAX_PAGE,
  MAX_PAGE_SIZE,
  MAX_REASON_LENGTH,
  MAX_TITLE_LENGTH,
  SEVERITIES,
} from './limits.ts'
import { Card, Pagination } from './catalogue.ts'
import type { Operation } from './operation.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const nullable = Type.Union([Type.String(), Type.Null()])
const time = Type.String({ format: 'date-time' })
const nullableTime = Type.Union([time, Type.Null()])
const strict = { additionalProperties: false }
const reason = Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH })
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const duration = Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }), Type.Enum(['permanent'])])

/** A member as the portal shows them. An end 'infinity' reads 'permanent'. */
export const AdminUser = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  username: Type.String(),
  display_name: nullable,
  email: nullable,
  discord_id: Type.String(),
  avatar_url: Type.String(),
  is_banned: Type.Boolean(),
  is_muted: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  ban_expires_at: nullable,
  ban_reason: nullable,
  mute_expires_at: nullable,
  moderator_roles: Type.Array(Type.String()),
  custom_roles: Type.Array(Type.String()),
  title: nullable,
  custom_badge: nullable,
  badge_color: Type.String(),
  notes: nullable,
  reputation: Type.Integer(),
  warning_count_active: Type.Integer(),
  subscription_type: Type.Enum(['free', 'premium']),
  created_at: time,
  last_seen_at: nullableTime,
})
export type AdminUser = Static<typeof AdminUser>

export const DayFigures = Type.Object({
  day: Type.String({ description: 'YYYY-MM-DD in UTC' }),
  sign_ups: Type.Integer(),
  uploads: Type.Integer(),
  downloads: Type.Integer(),
  ratings: Type.Integer(),
})

export const AdminStats = Type.Object({
  total_users: Type.Integer(),
  new_users_today: Type.Integer(),
  active_users: Type.Integer({ description: 'Not banned' }),
  banned_users: Type.Integer(),
  admin_users: Type.Integer({ description: 'Moderators and admins' }),
  total_scripts: Type.Integer(),
  recent_users: Type.Array(AdminUser, { description: 'The five newest' }),
  days: Type.Array(DayFigures, { description: 'The last 365 days, the oldest first' }),
  open_reports: Type.Integer(),
  system: Type.Object({
    environment: Type.String(),
    version: Type.String(),
    started_at: time,
    database: Type.String({ description: "'Operational' or what is wrong" }),
  }),
})
export type AdminStats = Static<typeof AdminStats>

const on = <const Action extends string>(action: Action) => ({ action: Type.Literal(action), user_id: id })

/** The deeds of the portal, each with its own form. */
export const adminActions = {
  edit_user: Type.Object(
    {
      ...on('edit_user'),
      title: text(50),
      custom_badge: text(30),
      badge_color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
      notes: text(MAX_NOTES_LENGTH),
      reputation: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 40 })])),
    },
    strict,
  ),
  ban_user: Type.Object({ ...on('ban_user'), reason, duration }, strict),
  unban_user: Type.Object({ ...on('unban_user') }, strict),
  warn_user: Type.Object(
    {
      ...on('warn_user'),
      reason,
      severity: Type.Optional(Type.Enum([...SEVERITIES])),
      duration: Type.Optional(duration),
    },
    strict,
  ),
  mute_user: Type.Object({ ...on('mute_user'), reason, duration }, strict),
  unmute_user: Type.Object({ ...on('unmute_user') }, strict),
  make_admin: Type.Object({ ...on('make_admin') }, strict),
  remove_admin: Type.Object({ ...on('remove_admin') }, strict),
  make_moderator: Type.Object({ ...on('make_moderator') }, strict),
  remove_moderator: Type.Object({ ...on('remove_moderator') }, strict),
  bulk_action: Type.Object(
    {
      action: Type.Literal('bulk_action'),
      bulk_action: Type.Enum(['ban', 'unban', 'make_moderator', 'remove_moderator', 'warn']),
      user_ids: Type.Array(id, { minItems: 1, maxItems: MAX_BULK }),
      reason: text(MAX_REASON_LENGTH),
      duration: Type.Optional(duration),
    },
    strict,
  ),
  send_notification: Type.Object(
    {
      action: Type.Literal('send_notification'),
      title: Type.String({ maxLength: MAX_TITLE_LENGTH }),
      message: Type.String({ maxLength: MAX_NOTIFICATION_LENGTH }),
      type: Type.Optional(Type.Enum(['success', 'warning', 'error', 'info'])),
      user_id: Type.Optional(Type.Union([id, Type.Null()])),
      send_to_all: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  script_feature: Type.Object({ action: Type.Literal('script_feature'), script_id: id }, strict),
  script_verify: Type.Object({ action: Type.Literal('script_verify'), script_id: id }, strict),
  script_delete: Type.Object({ action: Type.Literal('script_delete'), script_id: id }, strict),
} as const
export type AdminActionName = keyof typeof adminActions
export type AdminActionBody<Name extends AdminActionName> = Static<(typeof adminActions)[Name]>

export const AuditRow = Type.Object({
  id: Type.Integer(),
  actor_id: Type.Integer(),
  actor_name: Type.String({ description: "'Deleted member' once the account is gone" }),
  action: Type.String(),
  subject_type: Type.String(),
  subject_id: Type.Integer(),
  subject_name: Type.String(),
  member_id: Type.Union([Type.Integer(), Type.Null()]),
  before: Type.Unknown(),
  after: Type.Unknown(),
  created_at: time,
})
export type AuditRow = Static<typeof AuditRow>

export const Sanction = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(['ban', 'mute', 'warning']),
  severity: nullable,
  reason: Type.String(),
  imposed_by: nullable,
  imposed_at: time,
  ends_at: Type.Union([Type.String(), Type.Null()], { description: 'Null has no end' }),
  lifted_by: nullable,
  lifted_at: nullableTime,
  is_active: Type.Boolean(),
})
export type Sanction = Static<typeof Sanction>

const page = Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 })
const limit = Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 })

export const adminOperations = {
  'GET /api/admin-keys': {
    summary: 'Figures (`type=stats`) or members (`type=users`) for admins',
    query: Type.Object({
      type: Type.Enum(['stats', 'users']),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Beginning of a name or e-mail, or an id' })),
      status: Type.Enum(['all', 'active', 'banned', 'muted'], { default: 'all' }),
      role: Type.Enum(['all', 'admin', 'moderator', 'user'], { default: 'all' }),
      sort: Type.Enum(['created_at', 'last_seen_at', 'username', 'reputation'], { default: 'created_at' }),
      order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
      page,
      limit,
    }),
    response: { 200: Type.Union([AdminStats, Type.Object({ users: Type.Array(AdminUser), pagination: Pagination })]) },
  },
  'POST /api/admin-keys': {
    summary: 'One deed of the portal, named by `action` (admins)',
    body: Type.Union(Object.values(adminActions)),
    response: {
      200: Type.Object({
        message: Type.String(),
        user: Type.Optional(AdminUser),
        failed: Type.Optional(
          Type.Array(Type.Object({ user_id: Type.Integer(), error: Type.String() }), {
            description: 'Of a bulk: whom it did not reach and why',
          }),
        ),
      }),
    },
  },
  'GET /api/admin-user': {
    summary: 'A member with sanctions, scripts and what was done about them (admins)',
    query: Type.Object({ user_id: id }),
    response: {
      200: Type.Object({
        user: AdminUser,
        sanctions: Type.Array(Sanction),
        audit: Type.Array(AuditRow),
        scripts: Type.Array(Card),
        reviews: Type.Array(
          Type.Object({
            id: Type.Integer(),
            script_id: Type.Integer(),
            script_title: Type.String(),
            script_slug: Type.String(),
            rating: Type.Integer(),
            review: nullable,
            created_at: time,
          }),
        ),
      }),
    },
  },
  'GET /api/admin-scripts': {
    summary: 'All scripts, private ones and those of the banned too (admins)',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of title, description or author' })),
      status: Type.Enum(['all', 'featured', 'verified', 'public', 'private'], { default: 'all' }),
      type: Type.Enum(['all', 'featured', 'verified'], { default: 'all' }),
      showcased: Type.Optional(Type.Enum(['true', 'false'])),
      page,
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 10 }),
    }),
    response: { 200: Type.Object({ scripts: Type.Array(Card), pagination: Pagination }) },
  },
  'GET /api/audit-log': {
    summary: 'What admins and moderators did, newest first (admins)',
    query: Type.Object({
      actor_id: Type.Optional(id),
      member_id: Type.Optional(id),
      action: Type.Optional(Type.String({ maxLength: 40 })),
      from: Type.Optional(Type.String({ maxLength: 40 })),
      to: Type.Optional(Type.String({ maxLength: 40 })),
      before_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 })),
      limit,
    }),
    response: {
      200: Type.Object({ rows: Type.Array(AuditRow), next_before_id: Type.Union([Type.Integer(), Type.Null()]) }),
    },
  },
} as const satisfies Record<string, Operation>
