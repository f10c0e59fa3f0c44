import { MAX_BADGE_LENGTH, MAX_BADGE_TITLE_LENGTH, MAX_NOTES_LENGTH } from '#contract/limits.ts'
import type { AdminActionBody } from '#contract/admin.ts'
import type { Database } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { adjustReputation } from '#server/features/reputation/reputation.ts'
import { fieldError } from '#server/http/field-errors.ts'
import { parseOptionalText } from '#server/http/text.ts'
import { lockTarget, type Target } from './lock.ts'
import { ownReputationError } from './errors.ts'

const MAX_REPUTATION = 1_000_000_000
const LEADING_INTEGER = /^\s*([+-]?\d{1,40})/

/** The integer a text begins with, else 0. Throws AppError `invalid` for what is out of all proportion. */
function readReputation(given: number | string): number {
  const number = typeof given === 'number' ? Math.trunc(given) : Number(LEADING_INTEGER.exec(given)?.[1] ?? 0)
  if (Math.abs(number) > MAX_REPUTATION) {
    throw fieldError('reputation', `must be from -${MAX_REPUTATION} to ${MAX_REPUTATION}`)
  }
  // There is no negative nought in a database.
  return number || 0
}

const read = (field: string, given: string | null | undefined, most: number) =>
  given === undefined ? {} : { [field]: parseOptionalText(given, { field, maxLength: most }) }

function readColumns({ title, custom_badge, badge_color, notes }: AdminActionBody<'edit_user'>) {
  return {
    ...read('title', title, MAX_BADGE_TITLE_LENGTH),
    ...read('custom_badge', custom_badge, MAX_BADGE_LENGTH),
    ...(badge_color === undefined ? {} : { badge_color: badge_color.toLowerCase() }),
    ...read('notes', notes, MAX_NOTES_LENGTH),
  }
}

/** Changes what admins write about a member; what is left out stays. Throws AppError `invalid`, `own_reputation` and what `lockTarget` throws. */
export async function editUser(trx: Database, adminId: number, given: AdminActionBody<'edit_user'>): Promise<void> {
  const columns = readColumns(given)
  const reputation = given.reputation === undefined ? undefined : readReputation(given.reputation)
  const target = await lockTarget(trx, adminId, given.user_id)
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

/** What really changes, as it was and as it is; undefined where nothing does. */
function changesOf(target: Target, wanted: Columns): { before: Columns; after: Columns } | undefined {
  const changed = (Object.keys(wanted) as (keyof Columns)[]).filter((name) => wanted[name] !== target[name])
  if (changed.length === 0) return undefined
  const pick = (from: Columns) => Object.fromEntries(changed.map((name) => [name, from[name]])) as Columns
  return { before: pick(target), after: pick(wanted) }
}
