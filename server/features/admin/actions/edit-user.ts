import type { AdminActionBody } from '#contract/admin.ts'
import { MAX_BADGE_LENGTH, MAX_BADGE_TITLE_LENGTH, MAX_NOTES_LENGTH } from '#contract/limits.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { adjustReputation } from '#server/features/reputation/reputation.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { parseOptionalLine, parseOptionalText, type TextRule } from '#server/platform/http/text.ts'
import { ownReputationError } from './errors.ts'
import { lockTarget, type Target } from './lock.ts'

const MAX_REPUTATION = 1_000_000_000
const LEADING_INTEGER = /^\s*([+-]?\d{1,40})/

/** Parses the integer at the start of the input; 0 if there is none. Throws AppError `invalid` if it is out of range. */
function parseReputation(input: number | string): number {
  const number = typeof input === 'number' ? Math.trunc(input) : Number(LEADING_INTEGER.exec(input)?.[1] ?? 0)
  if (Math.abs(number) > MAX_REPUTATION) {
    const limit = MAX_REPUTATION.toLocaleString('en')
    throw fieldError('reputation', `must be from -${limit} to ${limit}`, 'Reputation points')
  }
  // `|| 0` turns -0 into 0.
  return number || 0
}

const TITLE: TextRule = { field: 'title', maxLength: MAX_BADGE_TITLE_LENGTH }
const BADGE: TextRule = { field: 'custom_badge', maxLength: MAX_BADGE_LENGTH }
const NOTES: TextRule = { field: 'notes', label: 'Admin notes', maxLength: MAX_NOTES_LENGTH }

function parseColumns({ title, custom_badge, badge_color, notes }: AdminActionBody<'edit_user'>) {
  return {
    ...(title === undefined ? {} : { title: parseOptionalLine(title, TITLE) }),
    ...(custom_badge === undefined ? {} : { custom_badge: parseOptionalLine(custom_badge, BADGE) }),
    ...(badge_color === undefined ? {} : { badge_color: badge_color.toLowerCase() }),
    ...(notes === undefined ? {} : { notes: parseOptionalText(notes, NOTES) }),
  }
}

/** Omitted fields keep their values. Throws AppError `invalid`, `own_reputation`, and what `lockTarget` throws. */
export async function editUser(trx: Transaction, adminId: number, body: AdminActionBody<'edit_user'>): Promise<void> {
  const columns = parseColumns(body)
  const reputation = body.reputation === undefined ? undefined : parseReputation(body.reputation)
  const target = await lockTarget(trx, adminId, body.user_id)
  const changes = changesOf(target, { ...columns, ...(reputation === undefined ? {} : { reputation }) })
  if (!changes) return
  const { reputation: newTotal, ...texts } = changes.after
  if (newTotal !== undefined) {
    if (target.id === adminId) throw ownReputationError()
    await adjustReputation(trx, target.id, newTotal, adminId)
  }
  if (Object.keys(texts).length > 0) await trx.updateTable('members').set(texts).where('id', '=', target.id).execute()
  const subject = { subjectType: 'member', subjectId: target.id, memberId: target.id } as const
  await writeAudit(trx, { actorId: adminId, action: 'edit_user', ...subject, ...changes })
}

type Columns = Partial<Pick<Target, 'title' | 'custom_badge' | 'badge_color' | 'notes' | 'reputation'>>

function changesOf(target: Target, requested: Columns): { before: Columns; after: Columns } | undefined {
  const changed = (Object.keys(requested) as (keyof Columns)[]).filter((name) => requested[name] !== target[name])
  if (changed.length === 0) return undefined
  const pick = (from: Columns) => Object.fromEntries(changed.map((name) => [name, from[name]])) as Columns
  return { before: pick(target), after: pick(requested) }
}
