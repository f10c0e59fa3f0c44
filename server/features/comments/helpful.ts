import { sql } from 'kysely'
import type { BodyOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'

const MAX_LISTED = 500

const SUBJECTS = {
  review: (id: number) => sql<Subject>`select r.member_id as author_id, r.helpful_count
    from ratings r join scripts s on s.id = r.script_id join members m on m.id = s.author_id
    where r.id = ${id} and r.is_counted and r.is_written and ${isReachable('s', 'm')} for update of r`,
  comment: (id: number) => sql<Subject>`select c.author_id, c.helpful_count
    from comments c join scripts s on s.id = c.script_id join members m on m.id = s.author_id
    where c.id = ${id} and c.hidden_at is null and c.deleted_at is null and ${isReachable('s', 'm')} for update of c`,
}

interface Subject {
  author_id: number | null
  helpful_count: number
}

/**
 * Returns the number of members who find it helpful. Throws AppError `not_found` unless everyone can see the subject,
 * `own_thing`, and what `lockMember` throws.
 */
export function setHelpful(db: Database, caller: Caller, body: BodyOf<'PUT /api/helpful'>): Promise<number> {
  const { subject_type, subject_id, is_helpful } = body
  return transactAsMember(db, { memberId: caller.id }, async (trx) => {
    const { rows } = await SUBJECTS[subject_type](subject_id).execute(trx)
    const [subject] = rows
    if (!subject) throw notFound(`This ${subject_type}`)
    if (subject.author_id === caller.id) {
      throw new AppError('own_thing', 403, `You can't mark your own ${subject_type} as helpful.`)
    }
    const isReview = subject_type === 'review'
    const table = sql.table(isReview ? 'rating_votes' : 'comment_votes')
    const column = sql.ref(isReview ? 'rating_id' : 'comment_id')
    const changed = is_helpful
      ? sql`insert into ${table} (${column}, member_id) values (${subject_id}, ${caller.id}) on conflict do nothing`
      : sql`delete from ${table} where ${column} = ${subject_id} and member_id = ${caller.id}`
    const { numAffectedRows = 0n } = await changed.execute(trx)
    return subject.helpful_count + Number(numAffectedRows) * (is_helpful ? 1 : -1)
  })
}

/** The reviews of a script that a member found helpful, newest first, at most 500. */
export async function findHelpfulReviews(db: Database, scriptId: number, memberId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select r.id from rating_votes v join ratings r on r.id = v.rating_id
    where v.member_id = ${memberId} and r.script_id = ${scriptId} order by r.id desc limit ${MAX_LISTED}`.execute(db)
  return rows.map(({ id }) => id)
}
