// Mutes and warnings, and the records of all sanctions. Bans are in bans.ts.
import { type RawBuilder, sql } from 'kysely'
import type { AdminActionBody } from '#contract/admin.ts'
import { DEFAULT_MUTE_HOURS, DEFAULT_WARNING_DAYS, MAX_REASON_LENGTH } from '#contract/limits.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { notify } from '#server/features/notifications/notify.ts'
import type { Mutes } from '#server/features/reports/hide.ts'
import { formatTime, parseText } from '#server/platform/http/text.ts'
import { alreadyError, notError } from './errors.ts'
import { lockTarget, requireNotSelf, type Target } from './lock.ts'

type Duration = number | 'permanent'
type Kind = 'ban' | 'mute' | 'warning'

type SanctionTarget = { memberId: number } | { personId: number }

interface SanctionInput {
  kind: Kind
  severity?: string
  reason: string
  duration: Duration
  unit: 'hours' | 'days'
}

/** Inserts a sanction and returns its end, null if it is permanent. Rounded to milliseconds like a JavaScript date. */
export async function insertSanction(
  trx: Transaction,
  adminId: number,
  target: SanctionTarget,
  sanction: SanctionInput,
): Promise<Date | null> {
  const { kind, severity = null, reason, duration, unit } = sanction
  const end: RawBuilder<unknown> =
    duration === 'permanent'
      ? sql`'infinity'`
      : sql`date_trunc('milliseconds', now() + ${duration} * ${sql.lit(`1 ${unit}`)}::interval)`
  const { rows } = await sql<{ end: Date | null }>`insert into sanctions
      (member_id, person_id, kind, severity, reason, imposed_by, ends_at)
    values (${'memberId' in target ? target.memberId : null}, ${'personId' in target ? target.personId : null}, ${kind}, ${severity}, ${reason}, ${adminId}, ${end})
    returning nullif(ends_at, 'infinity') as "end"`.execute(trx)
  return rows[0]?.end ?? null
}

export async function liftSanction(
  trx: Transaction,
  adminId: number,
  target: SanctionTarget,
  kind: Kind,
): Promise<void> {
  const isTarget = 'memberId' in target ? sql`member_id = ${target.memberId}` : sql`person_id = ${target.personId}`
  await sql`update sanctions set lifted_by = ${adminId}, lifted_at = now()
    where ${isTarget} and kind = ${kind} and lifted_at is null and ends_at > now()`.execute(trx)
}

export const forAudit = (end: Date | null) => end?.toISOString() ?? 'permanent'

export async function notifyTarget(
  trx: Transaction,
  memberId: number,
  type: 'warning' | 'success',
  title: string,
  message: string,
) {
  await notify(trx, { memberId, kind: 'sanctions', type, title, message, link: null })
}

const subject = (actorId: number, action: string, { id }: Pick<Target, 'id'>) =>
  ({ actorId, action, subjectType: 'member', subjectId: id, memberId: id }) as const

/** Mutes a member. Throws AppError `own_account`, `already_muted`, `invalid` and what `lockTarget` throws. */
export async function muteUser(trx: Transaction, adminId: number, input: AdminActionBody<'mute_user'>) {
  const reason = parseText(input.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  const target = await lockTarget(trx, adminId, input.user_id)
  requireNotSelf(adminId, target)
  if (target.isMuted) throw alreadyError('muted', target.username)
  await imposeMute(trx, adminId, target, { reason, duration: input.duration ?? DEFAULT_MUTE_HOURS })
}

async function imposeMute(
  trx: Transaction,
  actorId: number,
  target: Pick<Target, 'id'>,
  { reason, duration }: { reason: string; duration: Duration },
) {
  const mute = { kind: 'mute', reason, duration, unit: 'hours' } as const
  const end = await insertSanction(trx, actorId, { memberId: target.id }, mute)
  await sql`update members set muted_until = ${end ?? 'infinity'}::timestamptz where id = ${target.id}`.execute(trx)
  const until = end ? formatTime(end) : 'the mute is lifted'
  const message = `You can browse but not post until ${until}. Reason: ${reason}`
  await notifyTarget(trx, target.id, 'warning', 'You are muted', message)
  await writeAudit(trx, { ...subject(actorId, 'mute_user', target), after: { reason, muted_until: forAudit(end) } })
}

/** Lifts a mute. Throws AppError `not_muted` and what `lockTarget` throws. */
export async function unmuteUser(trx: Transaction, adminId: number, targetId: number) {
  const target = await lockTarget(trx, adminId, targetId)
  if (!target.isMuted) throw notError('muted', target.username)
  await liftMute(trx, adminId, target)
}

async function liftMute(trx: Transaction, actorId: number, target: Pick<Target, 'id' | 'mutedUntil'>) {
  await liftSanction(trx, actorId, { memberId: target.id }, 'mute')
  await sql`update members set muted_until = null where id = ${target.id}`.execute(trx)
  await notifyTarget(trx, target.id, 'success', 'Your mute was lifted', 'You can post again.')
  await writeAudit(trx, {
    ...subject(actorId, 'unmute_user', target),
    before: { muted_until: forAudit(target.mutedUntil) },
  })
}

/** The mutes of decisions about reports, which check the moderator's rights. */
export const decisionMutes: Mutes = {
  impose: (trx, moderatorId, { memberId, reason, hours }) =>
    imposeMute(trx, moderatorId, { id: memberId }, { reason, duration: hours }),
  lift: async (trx, moderatorId, caseId) => {
    // A decision and its mute have the time of their transaction.
    const { rows } = await sql<Pick<Target, 'id' | 'mutedUntil'>>`select m.id,
        nullif(m.muted_until, 'infinity') as "mutedUntil"
      from report_cases c join members m on m.id = c.author_id
      where c.id = ${caseId} and exists (select from sanctions s where s.member_id = m.id and s.kind = 'mute'
        and s.imposed_at = c.decided_at and s.lifted_at is null and s.ends_at > now())`.execute(trx)
    if (rows[0]) await liftMute(trx, moderatorId, rows[0])
  },
}

/** Warns a member. Throws AppError `own_account`, `invalid` and what `lockTarget` throws. */
export async function warnUser(trx: Transaction, adminId: number, input: Omit<AdminActionBody<'warn_user'>, 'action'>) {
  const reason = parseText(input.reason, { field: 'reason', maxLength: MAX_REASON_LENGTH })
  const target = await lockTarget(trx, adminId, input.user_id)
  requireNotSelf(adminId, target)
  const { severity = 'minor', duration = DEFAULT_WARNING_DAYS } = input
  const end = await insertSanction(
    trx,
    adminId,
    { memberId: target.id },
    {
      kind: 'warning',
      severity,
      reason,
      duration,
      unit: 'days',
    },
  )
  const message = `${reason}\n\n${end ? `Expires ${formatTime(end)}` : "It doesn't expire"}.`
  await notifyTarget(trx, target.id, 'warning', `You got a ${severity} warning`, message)
  await writeAudit(trx, {
    ...subject(adminId, 'warn_user', target),
    after: { reason, severity, ends_at: forAudit(end) },
  })
}
