import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { forbidden, muted, unauthorized } from '#server/http/guards.ts'

/** A member who may write, as they are shown. */
export interface Writer {
  username: string
  display_name: string | null
}

interface Standing extends Writer {
  isMuted: boolean
  mutedUntil: Date | null
}

/**
 * Holds a member's standing still until the transaction ends: a ban or mute that comes meanwhile waits for it, and one
 * that was first is seen here. To be called first in a transaction that writes for the member. Throws AppError
 * `unauthorized` for who is banned or gone and, unless `evenMuted`, `muted`. `toChange` is for who goes on to change the
 * member's own row: a shared lock would let two of them wait for each other.
 */
export async function lockStanding(
  trx: Database,
  memberId: number,
  { evenMuted = false, toChange = false } = {},
): Promise<Writer> {
  const lock = toChange ? sql`for no key update` : sql`for share`
  const { rows } = await sql<Standing>`select username, display_name, coalesce(muted_until > now(), false) as "isMuted",
      nullif(muted_until, 'infinity') as "mutedUntil"
    from members where id = ${memberId} and (banned_until is null or banned_until <= now()) ${lock}`.execute(trx)
  const [member] = rows
  if (!member) throw unauthorized()
  if (member.isMuted && !evenMuted) throw muted(member)
  return member
}

/** The same for what only admins may do: the right is read again with the deed. Throws AppError `forbidden`. */
export async function lockAdmin(trx: Database, memberId: number): Promise<void> {
  const { rows } = await sql`select from members where id = ${memberId} and is_admin
    and (banned_until is null or banned_until <= now()) for share`.execute(trx)
  if (rows.length === 0) throw forbidden()
}
