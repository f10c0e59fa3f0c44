import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

export interface MemberRow {
  id: number
  /** The name they are shown under. */
  name: string
  slug: string
  reputation: number
  subscription_type: 'free' | 'premium'
  is_staff: boolean
  is_banned: boolean
}

const STANDING = sql`id, coalesce(nullif(display_name, ''), username) as name, slug, reputation, subscription_type,
  is_admin or is_moderator as is_staff, coalesce(banned_until > now(), false) as is_banned`

export async function findMembers(db: Database, ids: number[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select ${STANDING} from members where id = any(${ids}::int[])`.execute(db)
  return rows
}

export interface DailyUsage {
  used: number
  /** Whether this receiver got one of them. */
  has_given: boolean
  /** Until the next UTC day. */
  seconds_left: number
}

/** What a giver has given on this UTC day, by the database's clock. */
export async function findDailyUsage(db: Database, giverId: number, receiverId: number): Promise<DailyUsage> {
  const { rows } = await sql<DailyUsage>`select count(*) as used,
      coalesce(bool_or(receiver_id = ${receiverId}), false) as has_given,
      ceil(extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day'
        - (now() at time zone 'UTC')))::int as seconds_left
    from reputation_ledger
    where kind = 'gift' and giver_id = ${giverId} and day = (now() at time zone 'UTC')::date`.execute(db)
  return rows[0] ?? { used: 0, has_given: false, seconds_left: 0 }
}

interface Entry {
  receiverId: number
  giverId: number | null
  kind: 'gift' | 'adjustment'
  points: number
}

/** Writes an entry and brings the kept sum up to it; gives the new sum. Hold the receiver's row first. */
export async function addEntry(trx: Database, { receiverId, giverId, kind, points }: Entry): Promise<number> {
  await trx
    .insertInto('reputation_ledger')
    .values({ receiver_id: receiverId, giver_id: giverId, kind, points })
    .execute()
  const { reputation } = await trx
    .updateTable('members')
    .set((eb) => ({ reputation: eb('reputation', '+', points) }))
    .where('id', '=', receiverId)
    .returning('reputation')
    .executeTakeFirstOrThrow()
  return reputation
}
