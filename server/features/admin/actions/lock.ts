import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { requireAnotherAdmin } from '#server/features/members/standing.ts'
import { forbidden } from '#server/http/errors.ts'
import { ownAccountError, userNotFoundError } from './errors.ts'

/** A member as a deed finds them. */
export interface Target {
  id: number
  username: string
  isAdmin: boolean
  isModerator: boolean
  isBanned: boolean
  isMuted: boolean
  /** Null where it has no end, or there is none. */
  bannedUntil: Date | null
  mutedUntil: Date | null
  title: string | null
  custom_badge: string | null
  badge_color: string
  notes: string | null
  reputation: number
}

/**
 * Holds the rows of who acts and whom it concerns until the transaction ends, always in the order of their ids, so that
 * admins who act on each other come one after the other. The right to act is read with them. Throws AppError
 * `forbidden` for who is no admin any more, `user_not_found`.
 */
export async function lockTarget(trx: Database, adminId: number, targetId: number): Promise<Target> {
  const { rows } = await sql<Target>`select id, username, is_admin as "isAdmin", is_moderator as "isModerator",
      coalesce(banned_until > now(), false) as "isBanned", coalesce(muted_until > now(), false) as "isMuted",
      nullif(banned_until, 'infinity') as "bannedUntil", nullif(muted_until, 'infinity') as "mutedUntil", title, custom_badge, badge_color, notes, reputation
    from members where id = any(${[adminId, targetId]}::int[]) order by id for no key update`.execute(trx)
  const admin = rows.find(({ id }) => id === adminId)
  const target = rows.find(({ id }) => id === targetId)
  if (!admin?.isAdmin || admin.isBanned) throw forbidden()
  if (!target) throw userNotFoundError()
  return target
}

/** Throws AppError `own_account`. */
export function requireNotSelf(adminId: number, target: Target): void {
  if (target.id === adminId) throw ownAccountError()
}

/** Throws AppError `last_admin` or `own_account` for what would take an admin from among the admins, or oneself. */
export async function requireRemovable(trx: Database, adminId: number, target: Target): Promise<void> {
  if (target.isAdmin) await requireAnotherAdmin(trx, target.id)
  requireNotSelf(adminId, target)
}
