import { type RawBuilder, sql } from 'kysely'
import type { AdminUser } from '#contract/admin.ts'
import { PERMANENT_EXPIRY } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import { avatarUrl } from '#server/features/members/avatar.ts'
import { isBanned, isMuted } from '#server/features/members/standing.ts'

export interface AdminOptions {
  db: Database
}

interface Row extends Omit<AdminUser, 'avatar_url' | 'created_at' | 'last_seen_at'> {
  avatar: string | null
  profile_image: string | null
  created_at: Date
  last_seen_at: Date | null
}

const endOf = (column: RawBuilder<unknown>) => sql`case when ${column} = 'infinity' then ${PERMANENT_EXPIRY}
  when ${column} > now() then to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`

/** Reads members for the portal in the order of the ids. Leaves out deleted ones. */
export async function findAdminUsers({ db }: AdminOptions, ids: readonly number[]): Promise<AdminUser[]> {
  const { rows } =
    await sql<Row>`select m.id, m.slug, m.username, m.display_name, m.email, coalesce(m.discord_id, '') as discord_id, m.avatar,
      m.profile_image, coalesce(${isBanned('m')}, false) as is_banned,
      coalesce(${isMuted('m')}, false) as is_muted, m.is_admin, m.is_moderator,
      ${endOf(sql`m.banned_until`)} as ban_expires_at, ${endOf(sql`m.muted_until`)} as mute_expires_at,
      case when ${isBanned('m')} then (select reason from sanctions where member_id = m.id and kind = 'ban'
        and lifted_at is null and ends_at > now() order by imposed_at desc, id desc limit 1) end as ban_reason,
      m.moderator_roles, m.custom_roles, m.title, m.custom_badge, m.badge_color, m.notes, m.reputation,
      (select count(*) from sanctions where member_id = m.id and kind = 'warning' and lifted_at is null
        and ends_at > now()) as warning_count_active,
      m.subscription_type, m.created_at, m.last_seen_at
    from unnest(${[...ids]}::int[]) with ordinality requested (id, position) join members m on m.id = requested.id
    order by requested.position`.execute(db)
  return rows.map(({ avatar, profile_image, created_at, last_seen_at, ...row }) => ({
    ...row,
    avatar_url: avatarUrl({ avatar, profile_image, discord_id: row.discord_id }),
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }))
}

export async function findAdminUser(options: AdminOptions, id: number): Promise<AdminUser | undefined> {
  const [user] = await findAdminUsers(options, [id])
  return user
}
