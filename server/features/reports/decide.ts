import type { BodyOf } from '#contract/operations.ts'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from 'kysely'
import { writeAudit } from '#server/features/audit/service.ts'
import { AppError } from '#server/http/errors.ts'
import { readGivenText, readRequiredText } from '#server/http/given-text.ts'
import { decideAppeal } from './appeal.ts'
import { hideThing } from './hide.ts'
import { alreadyDecided, type Deed, findAuthor, holdCase, holdModerator, requireUndecided } from './hold.ts'
import { showAgain } from './show-again.ts'
import { tellAuthor, tellReporters } from './tell.ts'

type Given = BodyOf<'PUT /api/reports'>

const WITHOUT_REASON: ReadonlySet<Given['action']> = new Set(['claim', 'release', 'dismiss'])

const DEEDS: Record<Given['action'], (trx: Database, deed: Deed) => Promise<number[]>> = {
  claim,
  release,
  resolve: resolveCase,
  dismiss: dismissCase,
  hide: (trx, deed) => hideOfCase(trx, deed, true),
  unhide: (trx, deed) => hideOfCase(trx, deed, false),
  uphold: (trx, deed) => decideAppeal(trx, deed, 'upheld'),
  grant: (trx, deed) => decideAppeal(trx, deed, 'granted'),
}

/**
 * Does what a moderator decides about a case; gives the scripts whose pages changed. Throws AppError `invalid`,
 * `not_found`, what `holdModerator` and `hideThing` throw, and 409 for what somebody else has decided meanwhile.
 */
export function decide(db: Database, moderatorId: number, { id, action, decision: given }: Given): Promise<number[]> {
  const read = WITHOUT_REASON.has(action) ? readGivenText : readRequiredText
  const decision = read('decision', given, MAX_REASON_LENGTH) ?? ''
  return db.transaction().execute(async (trx) => {
    const moderator = await holdModerator(trx, moderatorId, await findAuthor(trx, id))
    return DEEDS[action](trx, { held: await holdCase(trx, id), moderator, decision })
  })
}

async function note(trx: Database, { held, moderator }: Deed, action: string, after: object): Promise<void> {
  await writeAudit(trx, {
    actorId: moderator.id,
    action,
    subjectType: 'report',
    subjectId: held.id,
    memberId: held.author_id,
    before: { status: held.status },
    after,
  })
}

async function claim(trx: Database, deed: Deed): Promise<number[]> {
  const { held, moderator } = deed
  if (held.claimed_by === moderator.id && held.status === 'claimed') {
    throw new AppError('claimed', 409, 'You have claimed this already.')
  }
  requireUndecided(held, moderator)
  await sql`update report_cases set status = 'claimed', claimed_by = ${moderator.id} where id = ${held.id}`.execute(trx)
  await note(trx, deed, 'claim_report', { status: 'claimed' })
  return []
}

async function release(trx: Database, deed: Deed): Promise<number[]> {
  const { held, moderator } = deed
  if (!moderator.isAdmin) requireUndecided(held, moderator)
  if (held.status === 'open') throw new AppError('not_claimed', 409, 'Nobody has claimed this.')
  if (held.status !== 'claimed') throw alreadyDecided(held)
  await sql`update report_cases set status = 'open', claimed_by = null where id = ${held.id}`.execute(trx)
  await note(trx, deed, 'release_report', { status: 'open' })
  return []
}

async function close(trx: Database, deed: Deed, status: 'resolved' | 'dismissed'): Promise<void> {
  const { held, moderator, decision } = deed
  requireUndecided(held, moderator)
  await sql`update report_cases set status = ${status}, decided_by = ${moderator.id}, decided_at = now(),
    decision = ${decision || null} where id = ${held.id}`.execute(trx)
}

async function resolveCase(trx: Database, deed: Deed): Promise<number[]> {
  const { held, decision } = deed
  await close(trx, deed, 'resolved')
  await note(trx, deed, 'resolve_report', { status: 'resolved', decision })
  const message = `${decision} You can appeal once.`
  await tellAuthor(trx, held, { type: 'warning', title: 'was reported, and we decided', message })
  await tellReporters(trx, held.id, held, 'Thank you. We looked at it and acted.')
  return []
}

/** Nothing was wrong: what was hidden for the time being is shown again. */
async function dismissCase(trx: Database, deed: Deed): Promise<number[]> {
  const { held, moderator, decision } = deed
  await close(trx, deed, 'dismissed')
  await note(trx, deed, 'dismiss_report', { status: 'dismissed', decision: decision || null })
  await tellReporters(trx, held.id, held, 'Thank you. We looked at it and found nothing against the rules.')
  return showAgain(trx, moderator.id, held, decision)
}

async function hideOfCase(trx: Database, deed: Deed, isHidden: boolean): Promise<number[]> {
  const { held, moderator, decision } = deed
  if (held.status === 'dismissed') throw alreadyDecided(held)
  if (held.status !== 'resolved') requireUndecided(held, moderator)
  const thing = { type: held.subject_type, id: held.subject_id, authorId: held.author_id }
  const scriptId = await hideThing(trx, moderator.id, thing, { isHidden, reason: decision })
  await tellAuthor(trx, held, {
    type: isHidden ? 'warning' : 'success',
    title: isHidden ? 'was hidden' : 'is shown again',
    message: decision,
  })
  return [scriptId]
}
