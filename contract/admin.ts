import Type, { type Static } from 'typebox'
import {
  DEFAULT_MUTE_HOURS,
  DEFAULT_WARNING_DAYS,
  MAX_BADGE_LENGTH,
  MAX_BADGE_TITLE_LENGTH,
  MAX_BULK,
  MAX_COUNTED,
  MAX_NOTES_LENGTH,
  MAX_NOTIFICATION_LENGTH,
  MAX_REASON_LENGTH,
  MAX_TITLE_LENGTH,
  SEVERITIES,
} from './limits.ts'
import { Card } from './catalogue.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const nullable = Type.Union([Type.String(), Type.Null()])
const time = Type.String({ format: 'date-time' })
const nullableTime = Type.Union([time, Type.Null()])
const strict = { additionalProperties: false }
const reason = Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH })
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const duration = (description: string) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }), Type.Literal('permanent')], { description })

/** A list is counted up to MAX_COUNTED: beyond, `total` is one more and `is_exact` false. All members are counted exactly. */
export const CountedPage = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  pages: Type.Integer({ description: 'Of what is counted; later ones are empty' }),
  is_exact: Type.Boolean({ description: `False where there are more than ${MAX_COUNTED}` }),
})
export type CountedPage = Static<typeof CountedPage>

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
export type DayFigures = Static<typeof DayFigures>

export const AdminStats = Type.Object({
  total_users: Type.Integer(),
  new_users_today: Type.Integer(),
  active_users: Type.Integer({ description: 'Not banned' }),
  banned_users: Type.Integer(),
  admin_users: Type.Integer({ description: 'Moderators and admins' }),
  total_scripts: Type.Integer(),
  total_downloads: Type.Integer({ description: 'Ever, also of scripts that are gone' }),
  total_notifications: Type.Integer({ description: 'Kept at the moment; an estimate where there are very many' }),
  unread_notifications: Type.Integer({ description: 'Likewise' }),
  recent_users: Type.Array(AdminUser, { description: 'The five newest' }),
  days: Type.Array(DayFigures, { description: 'The last 365 days, the oldest first' }),
  open_reports: Type.Integer(),
  system: Type.Object({
    environment: Type.String(),
    version: Type.String(),
    started_at: Type.String({ format: 'date-time', description: 'When the site was started on this machine' }),
    database: Type.String({
      description: "'Operational', or 'Busy' while requests wait for a connection in the process that answers",
    }),
    database_version: Type.String(),
  }),
})
export type AdminStats = Static<typeof AdminStats>

const on = <const Action extends string>(action: Action) => ({ action: Type.Literal(action), user_id: id })

const value = Type.Optional(
  Type.Boolean({
    description: 'What it is to be; refused with 409 where it is so already. The other of what it is when left out',
  }),
)

/** The deeds of the portal, each with its own form. */
export const adminActions = {
  edit_user: Type.Object(
    {
      ...on('edit_user'),
      title: text(MAX_BADGE_TITLE_LENGTH),
      custom_badge: text(MAX_BADGE_LENGTH),
      badge_color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
      notes: text(MAX_NOTES_LENGTH),
      reputation: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 40 })])),
    },
    strict,
  ),
  ban_user: Type.Object({ ...on('ban_user'), reason, duration: duration('Hours, or permanent') }, strict),
  unban_user: Type.Object({ ...on('unban_user') }, strict),
  warn_user: Type.Object(
    {
      ...on('warn_user'),
      reason,
      severity: Type.Optional(Type.Enum([...SEVERITIES], { description: 'minor when left out' })),
      duration: Type.Optional(duration(`Days, or permanent; ${DEFAULT_WARNING_DAYS} when left out`)),
    },
    strict,
  ),
  mute_user: Type.Object(
    {
      ...on('mute_user'),
      reason,
      duration: Type.Optional(duration(`Hours, or permanent; ${DEFAULT_MUTE_HOURS} when left out`)),
    },
    strict,
  ),
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
      reason: Type.Optional(
        Type.Union([Type.String({ maxLength: MAX_REASON_LENGTH }), Type.Null()], { description: 'For ban and warn' }),
      ),
      duration: Type.Optional(duration('Hours, or permanent; for ban')),
    },
    strict,
  ),
  send_notification: Type.Object(
    {
      action: Type.Literal('send_notification'),
      title: Type.Optional(Type.String({ maxLength: MAX_TITLE_LENGTH, description: 'Required' })),
      message: Type.Optional(Type.String({ maxLength: MAX_NOTIFICATION_LENGTH, description: 'Required' })),
      type: Type.Optional(Type.Enum(['success', 'warning', 'error', 'info'])),
      user_id: Type.Optional(Type.Union([id, Type.Null()])),
      send_to_all: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  script_feature: Type.Object({ action: Type.Literal('script_feature'), script_id: id, value }, strict),
  script_verify: Type.Object({ action: Type.Literal('script_verify'), script_id: id, value }, strict),
  script_delete: Type.Object({ action: Type.Literal('script_delete'), script_id: id }, strict),
} as const
export type AdminActionName = keyof typeof adminActions
export type AdminActionBody<Name extends AdminActionName> = Static<(typeof adminActions)[Name]>

/** A script as the portal lists it. */
export const AdminScript = Type.Object({
  ...Card.properties,
  is_hidden: Type.Boolean({ description: 'Taken out of sight by a moderator' }),
  is_author_banned: Type.Boolean(),
})
export type AdminScript = Static<typeof AdminScript>

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
  created_at: Type.String({ format: 'date-time' }),
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
