// What the author and moderators decide about a version that waits.
import { sql } from 'kysely'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import { endOtherSessions, endSessionsOf } from '#server/features/accounts/sessions.ts'
import type { HeldVersionRef } from '#server/features/email/links.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { openHoldCase } from '#server/features/reports/automatic.ts'
import { closeHoldCase } from '#server/features/reports/decide.ts'
import { lockDecider } from '#server/features/reports/lock.ts'
import { lockOwnScript } from '#server/features/scripts/queries.ts'
import { discardWaiting, settleScript } from '#server/features/scripts/version-states.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { getHoldSettings } from './hold-settings.ts'
import { findWaitingVersion, lockScript, release, type ReleaseOptions, type Waiting } from './release.ts'

export interface DecisionOptions extends ReleaseOptions {
  db: Database
  /** How long a confirmed version waits after its publication, unless an admin chose another time. */
  holdHours: number
}

const NOT_THE_AUTHOR = 'Its author did not publish it.'

const notWaiting = () =>
  new AppError('version_not_waiting', 409, 'This version no longer waits. Reload the page to see what happened to it.')

async function requireWaiting(trx: Transaction, id: number, number: number): Promise<Waiting> {
  const waiting = await findWaitingVersion(trx, id)
  if (waiting?.number !== number) throw notWaiting()
  return waiting
}

/** Throws AppError `version_not_waiting`, and what `lockMember` and `requireOwnScript` throw. */
export async function confirmVersion(
  options: DecisionOptions,
  caller: Caller,
  { script_id: id, number }: BodyOf<'POST /api/version-confirm'>,
): Promise<ResultOf<'POST /api/version-confirm'>> {
  return transactAsMember(options.db, { memberId: caller.id }, async (trx) => {
    const script = await lockOwnScript(trx, id, caller)
    const waiting = await requireWaiting(trx, id, number)
    if (waiting.state !== 'held') throw notWaiting()
    const { hold_hours: hours } = await getHoldSettings(trx, options.holdHours)
    const { rows } = await sql<{ current_at: Date; is_due: boolean }>`update script_versions
      set confirmed_at = coalesce(confirmed_at, now()),
        current_at = coalesce(current_at, created_at + make_interval(hours => ${hours}::int))
      where script_id = ${id} and number = ${number} returning current_at, current_at <= now() as is_due`.execute(trx)
    const [row] = rows
    if (!row) throw notWaiting()
    const current_at = row.current_at.toISOString()
    if (!row.is_due) {
      await openHoldCase(trx, id, number)
      return { message: 'Confirmed. It becomes current when its waiting time is over.', state: 'held', current_at }
    }
    await release(options, trx, id, { waiting, former: script })
    return { message: 'Confirmed. It is current now.', state: 'current', current_at }
  })
}

/** `session` is the token in use, whose session stays. Throws AppError `version_not_waiting`, and what `requireOwnScript` throws. */
export async function discardVersion(
  options: DecisionOptions,
  { caller, session }: { caller: Caller; session: string },
  { script_id: id, number, was_me }: BodyOf<'POST /api/version-discard'>,
): Promise<ResultOf<'POST /api/version-discard'>> {
  const lock = { memberId: caller.id, allowMuted: true, exclusive: !was_me }
  return transactAsMember(options.db, lock, async (trx) => {
    await lockOwnScript(trx, id, caller)
    const { returns } = await requireWaiting(trx, id, number)
    await discardWaiting(trx, id, was_me ? 'Discarded by its author.' : NOT_THE_AUTHOR)
    await settleScript(trx, id)
    if (was_me) return { message: 'Discarded.', state: returns ? 'former' : 'discarded' }
    await revokePublishingToken(trx, { memberId: caller.id, scriptId: id, number })
    await endOtherSessions(trx, caller.id, session)
    return {
      message: 'Discarded. The token that published it and all your other sessions have ended.',
      state: 'discarded',
    }
  })
}

async function revokePublishingToken(trx: Transaction, { memberId, scriptId, number }: HeldVersionRef): Promise<void> {
  await sql`delete from api_tokens t using script_versions v
    where v.script_id = ${scriptId} and v.number = ${number} and t.id = v.token_id and t.member_id = ${memberId}`.execute(
    trx,
  )
}

/**
 * The author's answer from a link in an email: discards the version if it still waits, revokes the token that published it
 * and ends all sessions. Undefined if the script was deleted or has another author.
 */
export async function disownVersion(
  { db }: Pick<DecisionOptions, 'db'>,
  { memberId, scriptId: id, number }: HeldVersionRef,
): Promise<{ isDiscarded: boolean } | undefined> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`select from members where id = ${memberId} for update`.execute(trx)
    const script = await lockScript(trx, id)
    if (rows.length === 0 || script?.authorId !== memberId) return undefined
    const isDiscarded = (await findWaitingVersion(trx, id))?.number === number
    if (isDiscarded) {
      await discardWaiting(trx, id, NOT_THE_AUTHOR)
      await settleScript(trx, id)
    }
    await revokePublishingToken(trx, { memberId, scriptId: id, number })
    await endSessionsOf(trx, memberId)
    return { isDiscarded }
  })
}

/** Also closes its case. Throws AppError `version_not_waiting`, `script_not_found`, `claimed`, and what `lockDecider` throws. */
export async function releaseVersion(
  options: DecisionOptions,
  moderatorId: number,
  { script_id: id, number, reason }: BodyOf<'POST /api/version-release'>,
): Promise<ResultOf<'POST /api/version-release'>> {
  return options.db.transaction().execute(async (trx) => {
    const script = await trx.selectFrom('scripts').select('author_id').where('id', '=', id).executeTakeFirst()
    const moderator = await lockDecider(trx, moderatorId, script?.author_id ?? null)
    const former = await lockScript(trx, id)
    if (!former) throw scriptNotFound()
    const waiting = await requireWaiting(trx, id, number)
    if (waiting.state !== 'held') throw notWaiting()
    await closeHoldCase(trx, moderator, {
      scriptId: id,
      number,
      decision: `Version ${waiting.version} was released: ${reason}`,
    })
    await release(options, trx, id, { waiting, former })
    await writeAudit(trx, {
      actorId: moderatorId,
      action: 'release_version',
      subjectType: 'script',
      subjectId: id,
      memberId: former.authorId,
      before: { number, state: 'held' },
      after: { number, state: 'current', reason },
    })
    return { message: 'Released. It is current now.', state: 'current' }
  })
}
