import { digits, id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'
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
  MAX_PAGE,
  MAX_PAGE_SIZE,
  MAX_REASON_LENGTH,
  MAX_TITLE_LENGTH,
  PERMANENT_EXPIRY,
  SEVERITIES,
} from './limits.ts'
import { Card } from './catalogue.ts'

const reason = Type.String({ minLength: 1, maxLength: MAX_REASON_LENGTH })
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const duration = (description: string) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }), Type.Literal('permanent')], { description })

/** Pagination with a bounded count: past MAX_COUNTED, `total` is MAX_COUNTED + 1 and `is_exact` is false. */
export const CountedPage = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  pages: Type.Integer({ description: 'Pages within the counted range' }),
  is_exact: Type.Boolean({ description: `False if there are more than ${MAX_COUNTED}` }),
})
export type CountedPage = Static<typeof CountedPage>

const expiry = Type.Union([time, Type.Null()], { description: `${PERMANENT_EXPIRY} if permanent` })

/** A member in the admin portal. */
export const AdminUser = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  username: Type.String(),
  display_name: nullableText,
  email: nullableText,
  discord_id: Type.String({ description: 'Empty for an imported member without a Discord account' }),
  avatar_url: Type.String(),
  is_banned: Type.Boolean(),
  is_muted: Type.Boolean(),
  is_admin: Type.Boolean(),
  is_moderator: Type.Boolean(),
  ban_expires_at: expiry,
  ban_reason: nullableText,
  mute_expires_at: expiry,
  moderator_roles: Type.Array(Type.String()),
  custom_roles: Type.Array(Type.String()),
  title: nullableText,
  custom_badge: nullableText,
  badge_color: Type.String(),
  notes: nullableText,
  reputation: Type.Integer(),
  warning_count_active: Type.Integer(),
  subscription_type: Type.Enum(['free', 'premium']),
  created_at: time,
  last_seen_at: nullableTime,
})
export type AdminUser = Static<typeof AdminUser>

export const DailyStats = Type.Object({
  day: Type.String({ description: 'YYYY-MM-DD in UTC' }),
  sign_ups: Type.Integer(),
  uploads: Type.Integer(),
  downloads: Type.Integer(),
  ratings: Type.Integer(),
})
export type DailyStats = Static<typeof DailyStats>

export const AdminStats = Type.Object({
  total_users: Type.Integer(),
  new_users_today: Type.Integer(),
  active_users: Type.Integer({ description: 'Not banned' }),
  banned_users: Type.Integer(),
  admin_users: Type.Integer({ description: 'Moderators and admins' }),
  total_scripts: Type.Integer(),
  total_downloads: Type.Integer({ description: 'All time, including deleted scripts' }),
  total_notifications: Type.Integer({ description: 'Currently stored; an estimate if there are very many' }),
  unread_notifications: Type.Integer({ description: 'Currently stored; an estimate if there are very many' }),
  recent_users: Type.Array(AdminUser, { description: 'The five newest' }),
  days: Type.Array(DailyStats, { description: 'The last 365 days, oldest first' }),
  open_reports: Type.Integer(),
  system: Type.Object({
    environment: Type.String(),
    version: Type.String(),
    started_at: Type.String({ format: 'date-time', description: 'When this site process started' }),
    database: Type.String({
      description: "'Operational', or 'Busy' while requests wait for a database connection",
    }),
    database_version: Type.String(),
    backup: Type.Union(
      [
        Type.Null(),
        Type.Object({
          verified_at: Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
            description: 'When the last backup was verified by a test restore',
          }),
          is_late: Type.Boolean({ description: 'Two backups in a row are missing' }),
          error: Type.Union([Type.Null(), Type.String()], { description: 'Why the last backup failed' }),
        }),
      ],
      { description: 'The scheduled backup; null if the site has none' },
    ),
    wal_archive: Type.Union(
      [
        Type.Null(),
        Type.Object({
          archived_at: Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
            description: 'When the last changes were archived',
          }),
          is_failing: Type.Boolean({ description: 'The last attempt to archive changes failed' }),
          waiting: Type.Integer({ description: 'Segments of 16 MB that wait on the disk of the database' }),
          base_at: Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
            description: 'When the last base backup was complete',
          }),
          error: Type.Union([Type.Null(), Type.String()], { description: 'Why the last base backup failed' }),
        }),
      ],
      { description: 'The archive for restoring a moment; null if the site has none' },
    ),
  }),
})
export type AdminStats = Static<typeof AdminStats>

const DISCORD_ID = '^[1-9][0-9]{0,19}$'

/** A member or a deleted account by id, or anybody by Discord id. */
const onPerson = <const Action extends string>(action: Action) => ({
  action: Type.Literal(action),
  user_id: Type.Optional(id),
  discord_id: Type.Optional(digits({ pattern: DISCORD_ID, description: 'Instead of user_id' })),
})

const on = <const Action extends string>(action: Action) => ({ action: Type.Literal(action), user_id: id })

const value = Type.Optional(
  Type.Boolean({
    description: 'The new value; 409 if it is already set. Toggles the current value if omitted',
  }),
)

export const adminActions = {
  edit_user: Type.Object(
    {
      ...on('edit_user'),
      title: text(MAX_BADGE_TITLE_LENGTH),
      custom_badge: text(MAX_BADGE_LENGTH),
      badge_color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
      notes: Type.Optional(
        Type.Union([Type.String({ maxLength: MAX_NOTES_LENGTH }), Type.Null()], { title: 'Admin notes' }),
      ),
      reputation: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 40 })])),
    },
    strict,
  ),
  ban_user: Type.Object({ ...onPerson('ban_user'), reason, duration: duration('Hours, or permanent') }, strict),
  unban_user: Type.Object(
    { ...onPerson('unban_user'), person_id: Type.Optional({ ...id, description: 'Instead, from `/api/person-bans`' }) },
    strict,
  ),
  warn_user: Type.Object(
    {
      ...on('warn_user'),
      reason,
      severity: Type.Optional(Type.Enum([...SEVERITIES], { description: 'Defaults to minor' })),
      duration: Type.Optional(duration(`Days, or permanent; ${DEFAULT_WARNING_DAYS} by default`)),
    },
    strict,
  ),
  mute_user: Type.Object(
    {
      ...on('mute_user'),
      reason,
      duration: Type.Optional(duration(`Hours, or permanent; ${DEFAULT_MUTE_HOURS} by default`)),
    },
    strict,
  ),
  unmute_user: Type.Object({ ...on('unmute_user') }, strict),
  make_admin: Type.Object({ ...on('make_admin') }, strict),
  remove_admin: Type.Object({ ...on('remove_admin') }, strict),
  make_moderator: Type.Object({ ...on('make_moderator') }, strict),
  remove_moderator: Type.Object({ ...on('remove_moderator') }, strict),
  link_member: Type.Object(
    {
      ...on('link_member'),
      discord_id: digits({ pattern: DISCORD_ID, description: 'Its owner signs in as the imported member' }),
    },
    strict,
  ),
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
type AdminAction = { [Name in AdminActionName]: AdminActionBody<Name> }[AdminActionName]

export const AdminScript = Type.Object({
  ...Card.properties,
  is_hidden: Type.Boolean({ description: 'Hidden by a moderator' }),
  is_author_banned: Type.Boolean(),
})
export type AdminScript = Static<typeof AdminScript>

export const AuditRow = Type.Object({
  id: Type.Integer(),
  actor_id: Type.Integer(),
  actor_name: Type.String({ description: "'Deleted member' if the account was deleted" }),
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
  severity: nullableText,
  reason: Type.String(),
  imposed_by: nullableText,
  imposed_at: time,
  ends_at: Type.Union([Type.String(), Type.Null()], { description: 'Null if permanent' }),
  lifted_by: nullableText,
  lifted_at: nullableTime,
  is_active: Type.Boolean(),
})
export type Sanction = Static<typeof Sanction>

/** The current ban of a person without an account. */
export const PersonBan = Type.Object({
  person_id: Type.Integer(),
  user_ids: Type.Array(Type.Integer(), { description: 'Ids of the deleted accounts; empty if there never was one' }),
  reason: Type.String(),
  imposed_by: nullableText,
  imposed_at: time,
  ends_at: Type.Union([Type.String(), Type.Null()], { description: 'Null if permanent' }),
})
export type PersonBan = Static<typeof PersonBan>

const page = Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 })
const limit = Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 })

export const adminOperations = {
  'GET /api/admin-keys': {
    access: 'admin',
    tolerant: true,
    summary: 'Site statistics (`type=stats`) or members (`type=users`) (admins)',
    query: Type.Object({
      type: Type.Enum(['stats', 'users']),
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Part of a name or email address (a prefix if shorter than three characters), or an id',
        }),
      ),
      status: Type.Enum(['all', 'active', 'banned', 'muted'], { default: 'all' }),
      role: Type.Enum(['all', 'admin', 'moderator', 'user'], { default: 'all' }),
      sort: Type.Enum(['created_at', 'last_seen_at', 'username', 'reputation'], { default: 'created_at' }),
      order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: '1 by default' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_PAGE_SIZE,
          description: '20 by default. Without `page` and `limit`, all users',
        }),
      ),
    }),
    response: { 200: Type.Union([AdminStats, Type.Object({ users: Type.Array(AdminUser), pagination: CountedPage })]) },
  },
  'POST /api/admin-keys': {
    access: 'admin',
    limit: 'portal',
    tolerant: true,
    summary: 'Perform the portal action named by `action` (admins)',
    body: Type.Unsafe<AdminAction>(Type.Union(Object.values(adminActions))),
    response: {
      200: Type.Object({
        message: Type.String(),
        user: Type.Optional(AdminUser),
        failed: Type.Optional(
          Type.Array(Type.Object({ user_id: Type.Integer(), error: Type.String() }), {
            description: 'Bulk actions: the members that failed, with the reason',
          }),
        ),
      }),
    },
  },
  'GET /api/admin-user': {
    access: 'admin',
    summary: 'A member with their sanctions, scripts, reviews and audit entries (admins)',
    query: Type.Object({ user_id: id }),
    response: {
      200: Type.Object({
        user: AdminUser,
        sanctions: Type.Array(Sanction),
        audit: Type.Array(AuditRow),
        scripts: Type.Array(AdminScript, { description: 'The newest 50' }),
        reviews: Type.Array(
          Type.Object({
            id: Type.Integer(),
            script_id: Type.Integer(),
            script_title: Type.String(),
            script_slug: Type.String(),
            rating: Type.Integer(),
            review: nullableText,
            is_hidden: Type.Boolean(),
            created_at: time,
          }),
        ),
      }),
    },
  },
  'GET /api/person-bans': {
    access: 'admin',
    summary: 'Bans of persons without an account, newest first (admins)',
    response: { 200: Type.Object({ bans: Type.Array(PersonBan, { description: 'The newest 50' }) }) },
  },
  'GET /api/admin-scripts': {
    access: 'admin',
    summary: 'All scripts, including private ones and those of banned members (admins)',
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Words or word prefixes in the title, description, tags or author',
        }),
      ),
      status: Type.Enum(['all', 'featured', 'verified', 'public', 'private'], { default: 'all' }),
      type: Type.Enum(['all', 'featured', 'verified'], { default: 'all' }),
      showcased: Type.Optional(Type.Enum(['true', 'false'])),
      page,
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 10 }),
    }),
    response: { 200: Type.Object({ scripts: Type.Array(AdminScript), pagination: CountedPage }) },
  },
  'GET /api/audit-log': {
    access: 'admin',
    summary: 'Actions of admins and moderators, newest first (admins)',
    query: Type.Object({
      actor_id: Type.Optional(id),
      member_id: Type.Optional(id),
      action: Type.Optional(Type.String({ maxLength: 40 })),
      from: Type.Optional(Type.String({ maxLength: 40, description: 'Start: a day in UTC or a time' })),
      to: Type.Optional(Type.String({ maxLength: 40, description: 'End: a day in UTC (inclusive) or a time' })),
      before_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 })),
      limit,
    }),
    response: {
      200: Type.Object({
        rows: Type.Array(AuditRow),
        next_before_id: Type.Union([Type.Integer(), Type.Null()]),
        actions: Type.Array(Type.String(), { description: 'All values of `action` in the log' }),
      }),
    },
  },
} as const satisfies Record<string, Operation>
