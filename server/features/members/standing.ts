import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { muted } from '#server/features/authorization/guards.ts'
import { AppError, forbidden, unauthorized } from '#server/http/errors.ts'

/** The names of a locked member. */
export interface LockedMember {
  username: string
  display_name: string | null
}

interface Standing extends LockedMember {
  isMuted: boolean
  mutedUntil: Date | null
}

export interface LockOptions {
  /** Whether a muted member may do this. */
  allowMuted?: boolean
  /**
   * Whether to exclude other writes of the same member. Required if the transaction goes on to update the member's row:
   * two shared locks would deadlock there.
   */
  exclusive?: boolean
}

/**
 * Locks a member's row against bans and mutes until the end of the transaction, and checks that the member may write. Must
 * come first in every transaction that writes for a member: a ban or mute that commits before the lock is granted is seen,
 * a later one waits. Throws AppError `unauthorized` if the member is banned or deleted, and `muted` unless `allowMuted`.
 */
export async function lockMember(
  trx: Database,
  memberId: number,
  { allowMuted = false, exclusive = false }: LockOptions = {},
): Promise<LockedMember> {
  const lock = exclusive ? sql`for no key update` : sql`for share`
  const { rows } = await sql<Standing>`select username, display_name, coalesce(muted_until > now(), false) as "isMuted",
      nullif(muted_until, 'infinity') as "mutedUntil"
    from members where id = ${memberId} and (banned_until is null or banned_until <= now()) ${lock}`.execute(trx)
  const [member] = rows
  if (!member) throw unauthorized()
  if (member.isMuted && !allowMuted) throw muted(member)
  return member
}

/**
 * Locks several members' rows until the end of the transaction. Always locks in the order of the ids, so that transactions
 * that lock the same members cannot deadlock. Checks nothing: read what matters after this call.
 */
export async function lockMembers(trx: Database, ids: number[]): Promise<void> {
  await sql`select from members where id = any(${ids}::int[]) order by id for no key update`.execute(trx)
}

/** Locks an admin's row like `lockStanding`. Throws AppError `forbidden` if the member is no longer an active admin. */
export async function lockAdmin(trx: Database, memberId: number): Promise<void> {
  const { rows } = await sql`select from members where id = ${memberId} and is_admin
    and (banned_until is null or banned_until <= now()) for share`.execute(trx)
  if (rows.length === 0) throw forbidden()
}

const ADMINS_LOCK = 7_301_149

/**
 * Throws AppError `last_admin` unless there is another admin who can sign in. To be called in the transaction that takes
 * an admin away, after the members' rows are held: such transactions then come one after the other.
 */
export async function requireAnotherAdmin(trx: Database, adminId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`.execute(trx)
  const { rows } = await sql`select 1 from members where is_admin and id <> ${adminId}
    and (banned_until is null or banned_until <= now()) limit 1`.execute(trx)
  if (rows.length > 0) return
  throw new AppError('last_admin', 409, 'This is the last admin. Make somebody else an admin first.')
}
