import { type RawBuilder, sql } from 'kysely'
import type { ReportCase } from '#contract/reports.ts'
import type { QueryOf, ResultOf } from '#contract/operations.ts'
import type { Database } from '#server/db/database.ts'
import { findCases } from './case-rows.ts'
import { caseNotFound } from './lock.ts'

type Query = QueryOf<'GET /api/reports'>

const WAITING = sql`(status in ('open', 'claimed') or appeal_status = 'open')`
const CONDITIONS: Record<Query['status'], RawBuilder<unknown>> = {
  waiting: WAITING,
  open: sql`${WAITING} and status = 'open'`,
  claimed: sql`${WAITING} and status = 'claimed'`,
  appealed: sql`${WAITING} and appeal_status = 'open'`,
  resolved: sql`status = 'resolved'`,
  dismissed: sql`status = 'dismissed'`,
  all: sql`true`,
}
const OLDEST_FIRST: ReadonlySet<Query['status']> = new Set(['waiting', 'open', 'claimed', 'appealed'])

/** Cases by their state: what waits for a decision with the oldest first, the rest with the newest first. */
export async function listCases(db: Database, { status, page, limit }: Query): Promise<ResultOf<'GET /api/reports'>> {
  const where = CONDITIONS[status]
  const order = OLDEST_FIRST.has(status) ? sql`created_at, id` : sql`created_at desc, id desc`
  const offset = (page - 1) * limit
  const [cases, count] = await Promise.all([
    findCases(db, sql`select id from report_cases where ${where} order by ${order} limit ${limit} offset ${offset}`),
    sql<{ total: number }>`select count(*) as total from report_cases where ${where}`.execute(db),
  ])
  const total = count.rows[0]?.total ?? 0
  return { cases, pagination: { page, limit, total, pages: Math.ceil(total / limit) } }
}

export async function getCase(db: Database, id: number): Promise<ReportCase> {
  const [found] = await findCases(db, sql`select ${id}::int as id`)
  if (!found) throw caseNotFound()
  return found
}
