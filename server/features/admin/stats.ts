import { sql } from 'kysely'
import type { AdminStats, DailyStats } from '#contract/admin.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isBanned } from '#server/features/members/standing.ts'
import { type AdminOptions, findAdminUsers } from './admin-user.ts'

interface Totals {
  users: number
  scripts: number
  downloads: number
}

/** Totals from the daily sums: the cost does not depend on the number of rows. */
export async function findTotals(db: Database): Promise<Totals> {
  const { rows } = await sql<Totals>`select coalesce(sum(sign_ups - account_deletions), 0)::int as users,
    coalesce(sum(uploads - script_deletions), 0)::int as scripts, coalesce(sum(downloads), 0)::float8 as downloads
    from daily_stats`.execute(db)
  return rows[0] ?? { users: 0, scripts: 0, downloads: 0 }
}

/** Stats of the last `days` UTC days including today, oldest first. Days without stats are included. */
async function findDays(db: Database, days: number): Promise<DailyStats[]> {
  const { rows } = await sql<DailyStats>`select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(sum(f.sign_ups), 0)::int as sign_ups, coalesce(sum(f.uploads), 0)::int as uploads,
      coalesce(sum(f.downloads), 0)::float8 as downloads, coalesce(sum(f.ratings), 0)::int as ratings
    from generate_series(utc_day(now()) - ${days - 1}::int, utc_day(now()), interval '1 day') d (day)
    left join daily_stats f on f.day = d.day::date group by d.day order by d.day`.execute(db)
  return rows
}

const DAYS = 365
const RECENT_USERS = 5
const MAX_EXACT_COUNT = 100_000

interface Counts {
  banned_users: number
  admin_users: number
  open_reports: number
  recent: number[]
}

async function findCounts(db: Database): Promise<Counts> {
  const { rows } = await sql<Counts>`select
    (select count(*) from members where ${isBanned('members')}) as banned_users,
    (select count(*) from members where is_admin or is_moderator) as admin_users,
    (select count(*) from report_cases where status in ('open', 'claimed') or appeal_status = 'open') as open_reports,
    array(select id from members order by created_at desc, id desc limit ${RECENT_USERS}) as recent`.execute(db)
  return rows[0] ?? { banned_users: 0, admin_users: 0, open_reports: 0, recent: [] }
}

interface NotificationCounts {
  total: number
  unread: number
}

async function countNotifications(db: Database): Promise<NotificationCounts> {
  const { rows } =
    await sql<NotificationCounts>`select greatest(max(reltuples) filter (where relname = 'notifications'), 0)::float8
      as total, greatest(max(reltuples) filter (where relname = 'notifications_unread'), 0)::float8 as unread
    from pg_class where oid in ('notifications'::regclass, 'notifications_unread'::regclass)`.execute(db)
  const [estimate] = rows
  if (estimate && estimate.total > MAX_EXACT_COUNT) return estimate
  const { rows: counted } =
    await sql<NotificationCounts>`select count(*) as total, count(*) filter (where not is_read) as unread
    from notifications`.execute(db)
  return counted[0] ?? { total: 0, unread: 0 }
}

export interface StatsOptions extends AdminOptions {
  describeSystem: () => Promise<AdminStats['system']>
}

export async function getStats(options: StatsOptions): Promise<AdminStats> {
  const { db, describeSystem } = options
  const [totals, days, { recent, ...counts }, notifications, system] = await Promise.all([
    findTotals(db),
    findDays(db, DAYS),
    findCounts(db),
    countNotifications(db),
    describeSystem(),
  ])
  return {
    total_users: totals.users,
    new_users_today: days.at(-1)?.sign_ups ?? 0,
    active_users: Math.max(0, totals.users - counts.banned_users),
    total_scripts: totals.scripts,
    total_downloads: totals.downloads,
    total_notifications: notifications.total,
    unread_notifications: notifications.unread,
    recent_users: await findAdminUsers(options, recent),
    days,
    ...counts,
    system,
  }
}
