import { sql } from 'kysely'
import { MAX_WORKS_NOTE_LENGTH } from '#contract/limits.ts'
import type { Works } from '#contract/works.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { parseOptionalText } from '#server/platform/http/text.ts'
import { getWorks } from './queries.ts'
import { recountWorks } from './recount.ts'
import { ESTABLISHED_DAYS } from './score.ts'

interface VoteInput {
  script_id: number
  version_number: number
  works: boolean
  note?: string | null | undefined
}

/**
 * Replaces a vote of the same month; one of an earlier month stays but no longer counts. Throws AppError `invalid`,
 * `own_script`, `script_not_found`, `other_version`, and what `lockMember` throws.
 */
export function castVote(db: Database, caller: Caller, input: VoteInput): Promise<Works> {
  const { script_id: scriptId, version_number: version, works } = input
  const note = parseOptionalText(input.note, { field: 'note', maxLength: MAX_WORKS_NOTE_LENGTH })
  return transactAsMember(db, { memberId: caller.id, exclusive: true }, async (trx) => {
    const script = await lockScript(trx, scriptId)
    if (script?.author_id === caller.id) throw new AppError('own_script', 403, "You can't vote on your own script.")
    if (!script?.is_public) throw scriptNotFound()
    if (script.current_version !== version) {
      throw new AppError('other_version', 409, 'A newer version is out. Reload the page and try that one first.')
    }
    const voter = await findVoter(trx, caller.id)
    const month = sql`date_trunc('month', now() at time zone 'UTC')::date`
    await sql`update works_votes set is_latest = false where person_id = ${voter.person_id}
      and script_id = ${scriptId} and version_number = ${version} and is_latest and month <> ${month}`.execute(trx)
    await sql`insert into works_votes
        (script_id, version_number, month, member_id, person_id, works, note, weight, is_established)
      values (${scriptId}, ${version}, ${month}, ${caller.id}, ${voter.person_id}, ${works}, ${note}, ${voter.weight},
        ${voter.is_established})
      on conflict (person_id, script_id, version_number, month) where person_id is not null do update set
        member_id = excluded.member_id, works = excluded.works, note = excluded.note, weight = excluded.weight,
        is_established = excluded.is_established, is_latest = true, is_counted = true, voted_at = now()`.execute(trx)
    await recountWorks(trx, [scriptId])
    return getWorks(trx, scriptId, caller)
  })
}

/** Throws AppError `not_found`, and what `lockMember` throws. */
export function removeVote(db: Database, caller: Caller, scriptId: number): Promise<Works> {
  return transactAsMember(db, { memberId: caller.id, allowMuted: true, exclusive: true }, async (trx) => {
    const { numAffectedRows } = await sql`delete from works_votes v using scripts s
      where s.id = ${scriptId} and v.script_id = s.id and v.version_number = s.current_version
        and v.member_id = ${caller.id}`.execute(trx)
    if (!numAffectedRows) throw notFound('Your vote')
    await recountWorks(trx, [scriptId])
    return getWorks(trx, scriptId, caller)
  })
}

interface LockedScript {
  author_id: number
  current_version: number
  is_public: boolean
}

/** Locks a script against new versions. */
async function lockScript(trx: Transaction, id: number): Promise<LockedScript | undefined> {
  const { rows } = await sql<LockedScript>`select s.author_id, s.current_version, ${isReachable('s', 'm')} as is_public
    from scripts s join members m on m.id = s.author_id where s.id = ${id} for share of s`.execute(trx)
  return rows[0]
}

interface Voter {
  person_id: number
  weight: number
  is_established: boolean
}

/** The weight grows to 1 after `ESTABLISHED_DAYS`; an active warning halves it. */
async function findVoter(trx: Transaction, memberId: number): Promise<Voter> {
  const { rows } =
    await sql<Voter>`select person_of(m.id) as person_id, age.days >= ${ESTABLISHED_DAYS} as is_established,
      least(greatest(age.days, 1) / ${ESTABLISHED_DAYS}::double precision, 1) * case when exists (
        select from sanctions x where x.member_id = m.id and x.kind = 'warning' and x.lifted_at is null
          and x.ends_at > now()) then 0.5 else 1 end as weight
    from members m, lateral (select extract(epoch from now() - m.created_at)::double precision / 86400 as days) age
    where m.id = ${memberId}`.execute(trx)
  const [voter] = rows
  if (!voter) throw notFound('Your account')
  return voter
}
