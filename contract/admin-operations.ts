import Type from 'typebox'
import { AdminScript, AdminStats, AdminUser, adminActions, AuditRow, CountedPage, Sanction } from './admin.ts'
import { MAX_PAGE, MAX_PAGE_SIZE } from './limits.ts'
import type { Operation } from './operation.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const nullable = Type.Union([Type.String(), Type.Null()])
const time = Type.String({ format: 'date-time' })
const page = Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 })
const limit = Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 20 })

export const adminOperations = {
  'GET /api/admin-keys': {
    summary: 'Figures (`type=stats`) or members (`type=users`) for admins',
    query: Type.Object({
      type: Type.Enum(['stats', 'users']),
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Part of a name or e-mail (its beginning, below three characters), or an id',
        }),
      ),
      status: Type.Enum(['all', 'active', 'banned', 'muted'], { default: 'all' }),
      role: Type.Enum(['all', 'admin', 'moderator', 'user'], { default: 'all' }),
      sort: Type.Enum(['created_at', 'last_seen_at', 'username', 'reputation'], { default: 'created_at' }),
      order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
      page,
      limit,
    }),
    response: { 200: Type.Union([AdminStats, Type.Object({ users: Type.Array(AdminUser), pagination: CountedPage })]) },
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
        scripts: Type.Array(AdminScript, { description: 'The newest 50' }),
        reviews: Type.Array(
          Type.Object({
            id: Type.Integer(),
            script_id: Type.Integer(),
            script_title: Type.String(),
            script_slug: Type.String(),
            rating: Type.Integer(),
            review: nullable,
            is_hidden: Type.Boolean(),
            created_at: time,
          }),
        ),
      }),
    },
  },
  'GET /api/admin-scripts': {
    summary: 'All scripts, private ones and those of the banned too (admins)',
    query: Type.Object({
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'Words or their beginnings in title, description, tags or author' }),
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
    summary: 'What admins and moderators did, newest first (admins)',
    query: Type.Object({
      actor_id: Type.Optional(id),
      member_id: Type.Optional(id),
      action: Type.Optional(Type.String({ maxLength: 40 })),
      from: Type.Optional(Type.String({ maxLength: 40, description: 'A day in UTC or a time' })),
      to: Type.Optional(Type.String({ maxLength: 40, description: 'A day (its end is meant) or a time' })),
      before_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 })),
      limit,
    }),
    response: {
      200: Type.Object({
        rows: Type.Array(AuditRow),
        next_before_id: Type.Union([Type.Integer(), Type.Null()]),
        actions: Type.Array(Type.String(), { description: 'Every word that `action` has in the log' }),
      }),
    },
  },
} as const satisfies Record<string, Operation>
