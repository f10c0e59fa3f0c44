import { sql } from 'kysely'
import type { Transaction } from '#server/platform/db/database.ts'
import { isMuted, type LockedRoles, lockMembers, requireAnotherAdmin } from '#server/features/members/standing.ts'
import { forbidden } from '#server/platform/http/errors.ts'
import { ownAccountError, userNotFoundError } from './errors.ts'

export interface Target extends LockedRoles {
  id: number
  username: string
  isMuted: boolean
  /** Null if the ban is permanent, or the member is not banned. */
  bannedUntil: Date | null
  mutedUntil: Date | null
  title: string | null
  custom_badge: string | null
  badge_color: string
  notes: string | null
  reputation: number
}

type TargetRow = Omit<Target, keyof LockedRoles>

/** Locks both members for the transaction. Throws AppError `user_not_found`, and `forbidden` unless still an admin. */
export async function lockTarget(trx: Transaction, adminId: number, targetId: number): Promise<Target> {
  const target = await findTarget(trx, adminId, targetId)
  if (!target) throw userNotFoundError()
  return target
}

/** Like `lockTarget`, but returns undefined if the member does not exist. */
export async function findTarget(trx: Transaction, adminId: number, targetId: number): Promise<Target | undefined> {
  const locked = await lockMembers(trx, [adminId, targetId])
  const admin = locked.get(adminId)
  if (!admin?.isAdmin || admin.isBanned) throw forbidden()
  const { rows } = await sql<TargetRow>`select id, username, coalesce(${isMuted('members')}, false) as "isMuted",
      nullif(banned_until, 'infinity') as "bannedUntil", nullif(muted_until, 'infinity') as "mutedUntil", title,
      custom_badge, badge_color, notes, reputation
    from members where id = ${targetId}`.execute(trx)
  const [target] = rows
  const roles = locked.get(targetId)
  return target && roles && { ...target, ...roles }
}

/** Throws AppError `own_account` if admins act on themselves. */
export function requireNotSelf(adminId: number, target: Target): void {
  if (target.id === adminId) throw ownAccountError()
}

/** Checks that the target may stop being an active admin. Throws AppError `last_admin` or `own_account`. */
export async function requireRemovable(trx: Transaction, adminId: number, target: Target): Promise<void> {
  if (target.isAdmin) await requireAnotherAdmin(trx, target.id)
  requireNotSelf(adminId, target)
}
