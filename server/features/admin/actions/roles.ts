import { sql } from 'kysely'
import type { Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { alreadyError, bannedError, notError } from './errors.ts'
import { lockTarget, requireRemovable, type Target } from './lock.ts'

export type RoleAction = 'make_admin' | 'remove_admin' | 'make_moderator' | 'remove_moderator'

interface Change {
  column: 'is_admin' | 'is_moderator'
  value: boolean
  role: 'an_admin' | 'a_moderator'
  has: (target: Target) => boolean
}

const isAdmin = ({ isAdmin: has }: Target) => has
const isModerator = ({ isModerator: has }: Target) => has

const CHANGES: Record<RoleAction, Change> = {
  make_admin: { column: 'is_admin', value: true, role: 'an_admin', has: isAdmin },
  remove_admin: { column: 'is_admin', value: false, role: 'an_admin', has: isAdmin },
  make_moderator: { column: 'is_moderator', value: true, role: 'a_moderator', has: isModerator },
  remove_moderator: { column: 'is_moderator', value: false, role: 'a_moderator', has: isModerator },
}

/**
 * Grants or removes a role. Throws AppError `already_an_admin`, `not_an_admin`, `already_a_moderator`,
 * `not_a_moderator`, `banned` if a banned member would get a role, `last_admin` or `own_account` if an admin would lose
 * theirs, and what `lockTarget` throws.
 */
export async function changeRole(
  trx: Transaction,
  adminId: number,
  targetId: number,
  action: RoleAction,
): Promise<void> {
  const { column, value, role, has } = CHANGES[action]
  const target = await lockTarget(trx, adminId, targetId)
  if (action === 'remove_admin' && target.isAdmin) await requireRemovable(trx, adminId, target)
  if (has(target) === value) throw value ? alreadyError(role, target.username) : notError(role, target.username)
  if (value && target.isBanned) throw bannedError(target.username)
  await sql`update members set ${sql.ref(column)} = ${value} where id = ${targetId}`.execute(trx)
  const subject = { subjectType: 'member', subjectId: targetId, memberId: targetId } as const
  await writeAudit(trx, {
    actorId: adminId,
    action,
    ...subject,
    before: { [column]: !value },
    after: { [column]: value },
  })
}
