// A member's standing: banned, muted or neither, and the locks that keep it unchanged during a write.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isStaff, muted } from '#server/platform/authorization/guards.ts'
import { AppError, forbidden, unauthorized } from '#server/platform/http/errors.ts'

export function isActive(members: string): RawBuilder<boolean> {
  const bannedUntil = sql.ref(`${members}.banned_until`)
  return sql`(${bannedUntil} is null or ${bannedUntil} <= now())`
}

/** SQL condition: the member is banned. Served by the index `members_banned`; null if the member was never banned. */
export const isBanned = (members: string): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${members}.banned_until`)} > now())`

/** SQL condition: the person has an active ban, with or without an account. */
export const isPersonBanned = (personId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from sanctions
    where person_id = ${personId} and kind = 'ban' and lifted_at is null and ends_at > now())`

/** SQL condition: the member is muted. Served by the index `members_muted`; null if the member was never muted. */
export const isMuted = (members: string): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${members}.muted_until`)} > now())`

export interface LockedMember {
  username: string
  display_name: string | null
}

interface Standing extends LockedMember {
  isMuted: boolean
  mutedUntil: Date | null
}

export interface LockOptions {
  allowMuted?: boolean
  /** Required if the transaction goes on to update the member's row: two shared locks would deadlock there. */
  exclusive?: boolean
}

/**
 * Runs a transaction that writes for a member. It first locks the member's row, so that a ban or mute either comes before and is
 * seen, or waits. Throws what `lockMember` throws.
 */
export function transactAsMember<T>(
  db: Database,
  { memberId, ...options }: LockOptions & { memberId: number },
  write: (trx: Transaction, member: LockedMember) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => write(trx, await lockMember(trx, memberId, options)))
}

/**
 * Locks the member's row, for transactions that `transactAsMember` cannot start. Throws AppError `unauthorized` if banned or
 * deleted, and `muted` unless `allowMuted`.
 */
export async function lockMember(
  trx: Transaction,
  memberId: number,
  { allowMuted = false, exclusive = false }: LockOptions = {},
): Promise<LockedMember> {
  const lock = exclusive ? sql`for no key update` : sql`for share`
  const { rows } = await sql<Standing>`select username, display_name,
      coalesce(${isMuted('members')}, false) as "isMuted", nullif(muted_until, 'infinity') as "mutedUntil"
    from members where id = ${memberId} and ${isActive('members')} ${lock}`.execute(trx)
  const [member] = rows
  if (!member) throw unauthorized()
  if (member.isMuted && !allowMuted) throw muted(member)
  return member
}

export interface LockedRoles {
  isAdmin: boolean
  isModerator: boolean
  isBanned: boolean
}

/** Returns roles by id. Locks in the order of the ids, so that concurrent transactions cannot deadlock. */
export async function lockMembers(trx: Transaction, ids: number[]): Promise<Map<number, LockedRoles>> {
  const { rows } = await sql<LockedRoles & { id: number }>`select id, is_admin as "isAdmin",
      is_moderator as "isModerator", coalesce(${isBanned('members')}, false) as "isBanned"
    from members where id = any(${ids}::int[]) order by id for no key update`.execute(trx)
  return new Map(rows.map(({ id, ...roles }) => [id, roles]))
}

/** Locks an admin's row like `lockMember`. Throws AppError `forbidden` if the member is no longer an active admin. */
export async function lockAdmin(trx: Transaction, memberId: number): Promise<void> {
  const { rows } = await sql`select from members
    where id = ${memberId} and is_admin and ${isActive('members')} for share`.execute(trx)
  if (rows.length === 0) throw forbidden()
}

/**
 * Locks the rows of a moderator or admin and of another member, if there is one, like `lockMembers`. Throws AppError `forbidden`
 * if the first is no longer an active moderator or admin.
 */
export async function lockModerator(
  trx: Transaction,
  moderatorId: number,
  otherId: number | null = null,
): Promise<{ moderator: LockedRoles; other: LockedRoles | undefined }> {
  const locked = await lockMembers(trx, otherId === null ? [moderatorId] : [moderatorId, otherId])
  const moderator = locked.get(moderatorId)
  if (!moderator || moderator.isBanned || !isStaff(moderator)) throw forbidden()
  return { moderator, other: otherId === null ? undefined : locked.get(otherId) }
}

const ADMINS_LOCK = 7_301_149

/** Call it after locking the members' rows. Such transactions run one after the other. Throws AppError `last_admin`. */
export async function requireAnotherAdmin(trx: Transaction, adminId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`.execute(trx)
  const { rows } = await sql`select from members
    where is_admin and id <> ${adminId} and ${isActive('members')} limit 1`.execute(trx)
  if (rows.length > 0) return
  throw new AppError('last_admin', 409, 'This is the last admin. Make someone else an admin first.')
}
