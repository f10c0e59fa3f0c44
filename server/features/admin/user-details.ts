import { sql } from 'kysely'
import type { Sanction } from '#contract/admin.ts'
import type { ResultOf } from '#contract/operations.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listAudit } from '#server/platform/audit/audit.ts'
import { userNotFoundError } from './actions/errors.ts'
import { type AdminOptions, findAdminUser } from './admin-user.ts'
import { findAdminScripts } from './list-scripts.ts'

type UserDetails = ResultOf<'GET /api/admin-user'>

const MAX_ROWS = 50

/** Returns a member with their sanctions, audit entries, scripts and reviews. Throws AppError `user_not_found`. */
export async function getUserDetails(options: AdminOptions, userId: number): Promise<UserDetails> {
  const { db } = options
  const user = await findAdminUser(options, userId)
  if (!user) throw userNotFoundError()
  const [sanctions, audit, scripts, reviews] = await Promise.all([
    findSanctions(db, userId),
    listAudit(db, { member_id: userId, limit: MAX_ROWS }),
    findScripts(options, userId),
    findReviews(db, userId),
  ])
  return { user, sanctions, audit, scripts, reviews }
}

interface SanctionRow extends Omit<Sanction, 'imposed_at' | 'lifted_at' | 'ends_at'> {
  imposed_at: Date
  lifted_at: Date | null
  ends_at: Date | null
}

async function findSanctions(db: Database, userId: number): Promise<Sanction[]> {
  const { rows } = await sql<SanctionRow>`select x.id, x.kind, x.severity, x.reason, x.imposed_at, x.lifted_at,
      nullif(x.ends_at, 'infinity') as ends_at, x.lifted_at is null and x.ends_at > now() as is_active,
      coalesce(nullif(i.display_name, ''), i.username) as imposed_by,
      coalesce(nullif(l.display_name, ''), l.username) as lifted_by
    from sanctions x left join members i on i.id = x.imposed_by left join members l on l.id = x.lifted_by
    where x.member_id = ${userId} order by x.imposed_at desc, x.id desc limit ${MAX_ROWS}`.execute(db)
  return rows.map(({ imposed_at, lifted_at, ends_at, ...row }) => ({
    ...row,
    imposed_at: imposed_at.toISOString(),
    lifted_at: lifted_at?.toISOString() ?? null,
    ends_at: ends_at?.toISOString() ?? null,
  }))
}

async function findScripts(options: AdminOptions, userId: number): Promise<UserDetails['scripts']> {
  const { rows } = await sql<{ id: number }>`select id from scripts where author_id = ${userId}
    order by created_at desc, id desc limit ${MAX_ROWS}`.execute(options.db)
  const ids = rows.map(({ id }) => id)
  return findAdminScripts(options, ids)
}

interface ReviewRow extends Omit<UserDetails['reviews'][number], 'script_slug' | 'created_at'> {
  created_at: Date
}

async function findReviews(db: Database, userId: number): Promise<UserDetails['reviews']> {
  const { rows } = await sql<ReviewRow>`select r.id, r.script_id, s.title as script_title, r.rating, r.review,
      r.hidden_at is not null as is_hidden, r.created_at
    from ratings r join scripts s on s.id = r.script_id
    where r.member_id = ${userId} order by r.created_at desc, r.id desc limit ${MAX_ROWS}`.execute(db)
  return rows.map(({ created_at, ...row }) => ({
    ...row,
    script_slug: scriptSlug(row.script_title, row.script_id),
    created_at: created_at.toISOString(),
  }))
}
