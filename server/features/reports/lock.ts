import { sql } from 'kysely'
import type { CaseReason } from '#contract/case-reasons.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { isStaff } from '#server/platform/authorization/guards.ts'
import { lockModerator } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import type { Messages } from './hide.ts'
import type { SubjectType } from './subject.ts'

export interface Moderator {
  id: number
  isAdmin: boolean
}

/**
 * Locks the rows of a moderator and of the content's author until the end of the transaction, and checks that the moderator
 * may decide on the content. Throws AppError `own_thing`, `protected_author` if a moderator would act on a moderator or an
 * admin, and what `lockModerator` throws.
 */
export async function lockDecider(trx: Transaction, moderatorId: number, authorId: number | null): Promise<Moderator> {
  const { moderator, other: author } = await lockModerator(trx, moderatorId, authorId)
  if (authorId === moderatorId) {
    throw new AppError('own_thing', 403, "You can't decide on your own content. Leave it to another moderator.")
  }
  if (author && isStaff(author) && !moderator.isAdmin) {
    throw new AppError('protected_author', 403, 'Only admins can decide on moderators and admins.')
  }
  return { id: moderatorId, isAdmin: moderator.isAdmin }
}

export interface LockedCase {
  id: number
  subject_type: SubjectType
  subject_id: number
  author_id: number | null
  title: string
  reason: CaseReason
  version_number: number | null
  status: 'open' | 'claimed' | 'resolved' | 'dismissed' | 'ended'
  claimed_by: number | null
  decided_by: number | null
  appeal_status: 'open' | 'upheld' | 'granted' | null
  claimer: string
  decider: string
}

export interface CaseAction {
  reportCase: LockedCase
  moderator: Moderator
  /** The reason; empty if the moderator gave none. */
  decision: string
  messages: Messages
}

export const caseNotFound = () => notFound('This report')

/** Null if the subject has no author. Throws AppError `not_found`. */
export async function findAuthor(trx: Transaction, caseId: number): Promise<number | null> {
  const row = await trx.selectFrom('report_cases').select('author_id').where('id', '=', caseId).executeTakeFirst()
  if (!row) throw caseNotFound()
  return row.author_id
}

/** Locks a case. Lock the members first. Throws AppError `not_found`. */
export async function lockCase(trx: Transaction, caseId: number): Promise<LockedCase> {
  const { rows: locked } = await sql`select from report_cases where id = ${caseId} for update`.execute(trx)
  if (locked.length === 0) throw caseNotFound()
  // A second statement, because the first one would still see the names from before it waited for the lock.
  const { rows } =
    await sql<LockedCase>`select c.id, c.subject_type, c.subject_id, c.author_id, c.title, c.status, c.reason,
      c.version_number,      c.claimed_by, c.decided_by, c.appeal_status,
      coalesce(nullif(k.display_name, ''), k.username, 'Someone') as claimer,
      coalesce(nullif(d.display_name, ''), d.username, 'Someone') as decider
    from report_cases c left join members k on k.id = c.claimed_by left join members d on d.id = c.decided_by
    where c.id = ${caseId}`.execute(trx)
  const [row] = rows
  if (!row) throw caseNotFound()
  return row
}

export const alreadyDecided = ({ decider }: LockedCase) =>
  new AppError('already_decided', 409, `${decider} already decided this report.`)

/** Throws AppError `already_decided`, `case_ended` if there is nothing to decide any more, or `claimed` if another moderator claimed the case. */
export function requireUndecided(reportCase: LockedCase, moderator: Moderator): void {
  if (reportCase.status === 'resolved' || reportCase.status === 'dismissed') throw alreadyDecided(reportCase)
  if (reportCase.status === 'ended')
    throw new AppError('case_ended', 409, 'Its cause ended. There is nothing to decide.')
  if (reportCase.status === 'claimed' && reportCase.claimed_by !== moderator.id) {
    throw new AppError('claimed', 409, `${reportCase.claimer} has claimed this report.`)
  }
}
