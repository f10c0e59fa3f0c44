// Withdrawals: nobody gets the code any more, and its addresses say why.
import { sql } from 'kysely'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import { scriptSlug } from '#contract/slug.ts'
import { forbids, isSitewide } from '#server/features/copies/withdrawn.ts'
import type { EmailMember } from '#server/features/email/outbox.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { lockDecider } from '#server/features/reports/lock.ts'
import { resolveCase } from '#server/features/reports/moderate.ts'
import { notifyAuthor } from '#server/features/reports/notify.ts'
import { findVersionRow, isReleased, requireOwnScript, type VersionRow } from '#server/features/scripts/queries.ts'
import type { FormerScript } from '#server/features/scripts/version-checks.ts'
import { discardWaiting, settleScript, setVersionState } from '#server/features/scripts/version-states.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import {
  isEntry,
  setSuccessor,
  toWithdrawal,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
} from '#server/features/scripts/withdrawals.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { type Caller, isStaff } from '#server/platform/authorization/guards.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseLine } from '#server/platform/http/text.ts'
import {
  findStartsSince,
  findWaitingVersion,
  lockScript,
  recordRelease,
  type ReleaseOptions,
  startCheck,
} from './release.ts'

export interface WithdrawOptions extends ReleaseOptions {
  db: Database
  emailMember: EmailMember
}

type Body = BodyOf<'POST /api/version-withdraw'>

interface Withdrawing {
  by: 'author' | 'moderators'
  reason: string
  isMalicious: boolean
  caseId: number | null
}

const MAX_REASON_LENGTH = 500

const notWithdrawable = () =>
  new AppError(
    'version_not_withdrawable',
    409,
    'Only versions that were public can be withdrawn. Discard one that waits.',
  )

/**
 * Withdraws the code of a version, and other versions of the script with the same code. It needs no recent sign-in: it must be
 * quick, and takes less away than the deletion of the script does. Again, it changes nothing, unless moderators decide about what
 * the author has withdrawn. Throws AppError `invalid`, `not_found`, `version_not_withdrawable`, `not_the_author`, and what
 * `lockDecider` and `resolveCase` throw.
 */
export async function withdrawVersion(
  options: WithdrawOptions,
  caller: Caller,
  body: Body,
): Promise<ResultOf<'POST /api/version-withdraw'>> {
  const reason = parseLine(body.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  const { script_id: id, number } = body
  return options.db.transaction().execute(async (trx) => {
    const { author_id: authorId } = await findScript(trx, id)
    const isAuthor = caller.id === authorId || !isStaff(caller)
    if (isAuthor && body.is_malicious) throw fieldError('is_malicious', 'is for moderators')
    if (isAuthor) await lockMember(trx, caller.id, { allowMuted: true })
    const moderator = isAuthor ? undefined : await lockDecider(trx, caller.id, authorId)
    const former = await lockScript(trx, id)
    if (isAuthor) await requireOwnScript(trx, id, caller)
    const version = former && (await findVersionRow(trx, id, number, caller))
    if (!version) throw notFound('This version')
    await setSuccessor(trx, id, body.successor_slug)
    const existing = await findStanding(trx, id, version.sha256)
    if (existing && (!moderator || existing.by === 'moderators')) return toResult(existing)
    if (!existing && !(await isWithdrawable(trx, id, number))) throw notWithdrawable()
    const caseId = moderator ? await decide(options, trx, { moderator, id, version, reason }) : null
    const by = moderator ? 'moderators' : 'author'
    const withdrawal = await insertOrReplace(trx, id, version, {
      by,
      reason,
      isMalicious: body.is_malicious ?? false,
      caseId,
    })
    if (!existing) await takeBack(options, trx, id, { sha256: version.sha256, former })
    await announce(options, trx, id, { version, withdrawal })
    return toResult(withdrawal)
  })
}

const toResult = (row: WithdrawalRow): ResultOf<'POST /api/version-withdraw'> => ({
  message: 'Withdrawn. Its addresses say why.',
  state: 'withdrawn',
  withdrawal: toWithdrawal(row),
})

async function findScript(trx: Transaction, id: number): Promise<{ author_id: number; title: string }> {
  const row = await trx.selectFrom('scripts').select(['author_id', 'title']).where('id', '=', id).executeTakeFirst()
  if (!row) throw scriptNotFound()
  return row
}

async function isWithdrawable(trx: Transaction, id: number, number: number): Promise<boolean> {
  const { rows } = await sql`select from script_versions v
    where v.script_id = ${id} and v.number = ${number} and ${isReleased}`.execute(trx)
  return rows.length > 0
}

async function findStanding(trx: Transaction, id: number, sha256: string): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<WithdrawalRow>`select ${WITHDRAWAL_COLUMNS} from withdrawals w
    where w.script_id = ${id} and w.sha256 = ${sha256} and ${isEntry} and w.reinstated_at is null`.execute(trx)
  return rows[0]
}

/** Moderators' decisions replace the author's, so that nobody hides malice behind a reason of their own. */
async function insertOrReplace(
  trx: Transaction,
  id: number,
  { sha256, version }: VersionRow,
  { by, reason, isMalicious, caseId }: Withdrawing,
): Promise<WithdrawalRow> {
  const { title } = await findScript(trx, id)
  const counts = by === 'moderators' && (isMalicious || (await isSitewide(trx, id, sha256)))
  const { rows } =
    await sql<WithdrawalRow>`insert into withdrawals as w (script_id, sha256, token_sha256, is_sitewide, slug,
      version, withdrawn_as, reason, is_malicious, case_id)
    values (${id}, ${sha256}, (select token_sha256 from code_hashes where sha256 = ${sha256}), ${counts},
      ${scriptSlug(title, id)}, ${version}, ${by}, ${reason}, ${isMalicious}, ${caseId})
    on conflict (script_id, sha256, subject) where reinstated_at is null do update set
      is_sitewide = excluded.is_sitewide, withdrawn_as = excluded.withdrawn_as, reason = excluded.reason,
      is_malicious = excluded.is_malicious, case_id = excluded.case_id
    returning ${WITHDRAWAL_COLUMNS}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The withdrawal was not stored.')
  return row
}

interface Decision {
  moderator: Awaited<ReturnType<typeof lockDecider>>
  id: number
  version: VersionRow
  reason: string
}

/** Records a moderator's decision and tells the author, who can appeal. Returns the id of the case. */
async function decide(
  { emailMember }: WithdrawOptions,
  trx: Transaction,
  { moderator, id, version, reason }: Decision,
): Promise<number> {
  const { author_id, title } = await findScript(trx, id)
  const subject = { subject_type: 'script', subject_id: id, author_id, title } as const
  const decision = `Version ${version.version} was withdrawn: ${reason}`
  const caseId = await resolveCase(trx, moderator, { ...subject, excerpt: '' }, decision)
  await writeAudit(trx, {
    actorId: moderator.id,
    action: 'withdraw_version',
    subjectType: 'script',
    subjectId: id,
    memberId: author_id,
    before: { number: version.number, state: version.state },
    after: { number: version.number, state: 'withdrawn', reason },
  })
  await notifyAuthor(trx, emailMember, subject, {
    type: 'warning',
    title: () => 'A version of your script was withdrawn',
    message: `${decision} You can appeal once.`,
  })
  return caseId
}

/** Ends the use of the code, and finds what takes its place if it was current. */
async function takeBack(
  options: WithdrawOptions,
  trx: Transaction,
  id: number,
  { sha256, former }: { sha256: string; former: FormerScript },
): Promise<void> {
  await sql`update script_versions v set state = 'withdrawn', published_at = coalesce(published_at, state_since),
      state_since = clock_timestamp()
    where script_id = ${id} and sha256 = ${sha256} and ${isReleased}`.execute(trx)
  const waiting = await findWaitingVersion(trx, id)
  if (waiting?.sha256 === sha256) await discardWaiting(trx, id, 'Its code was withdrawn.')
  await settleScript(trx, id)
  const candidate = await findCandidate(trx, id)
  if (candidate) return replaceWithdrawn(options, trx, id, { candidate, former })
  await recordRelease(options, trx, id, former, { isQuiet: true })
}

interface Candidate {
  number: number
  sha256: string
  /** Of the withdrawn code that it is compared with. */
  withdrawn: string
  isPrivate: boolean
}

/** The newest former version, if no version is current because the last one is withdrawn. */
async function findCandidate(trx: Transaction, id: number): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`select v.number, v.sha256, l.sha256 as withdrawn,
      not coalesce(s.was_public, s.is_public) as "isPrivate"
    from scripts s join script_versions v on v.script_id = s.id join lateral (
      select state, sha256 from script_versions where script_id = s.id and state in ('published', 'withdrawn')
      order by coalesce(published_at, state_since) desc, number desc limit 1) l on l.state = 'withdrawn'
    where s.id = ${id} and ${isReleased} 
      and not exists (select from withdrawals w where ${forbids(sql`v.sha256`, id)})
    order by coalesce(v.published_at, v.state_since) desc, v.number desc limit 1`.execute(trx)
  return rows[0]
}

/**
 * Lets a former version take the place of withdrawn code: at once if it starts nothing serious in comparison with that, else when
 * it was checked, and a person released it if it was held. While another version waits, which is newer, only at once.
 */
async function replaceWithdrawn(
  options: WithdrawOptions,
  trx: Transaction,
  id: number,
  { candidate, former }: { candidate: Candidate; former: FormerScript },
): Promise<void> {
  const { number, isPrivate } = candidate
  const waiting = await findWaitingVersion(trx, id)
  const isHarmless = !isPrivate && (await findStartsSince(trx, candidate.withdrawn, candidate.sha256))?.length === 0
  const waits = isHarmless || waiting ? undefined : isPrivate ? 'private' : 'checking'
  if (isHarmless && waiting?.number === number) await discardWaiting(trx, id, '')
  if (isHarmless) await setVersionState(trx, { id, number, state: 'published' })
  else if (waits) {
    await sql`update script_versions set published_at = coalesce(published_at, state_since)
      where script_id = ${id} and number = ${number}`.execute(trx)
    await setVersionState(trx, { id, number, state: waits })
  }
  await settleScript(trx, id)
  if (waits === 'checking') await startCheck(options, trx, id, former)
  else await recordRelease(options, trx, id, former, { isQuiet: true })
}

async function announce(
  { jobs, emit }: WithdrawOptions,
  trx: Transaction,
  id: number,
  { version: { number, version: name, sha256 }, withdrawal }: { version: VersionRow; withdrawal: WithdrawalRow },
): Promise<void> {
  const { by, reason, is_malicious } = withdrawal
  const { rows } = await sql<{ number: number; name: string }>`select v.number, v.version as name
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.id = ${id} and s.is_public`.execute(trx)
  const current = rows[0] ?? null
  await emit(trx, {
    type: 'version.withdrawn',
    scriptId: id,
    version: { number, name, sha256 },
    by,
    reason,
    is_malicious,
    current,
  })
  await jobs.enqueue(trx, 'notify-withdrawal', { id: withdrawal.id })
}
