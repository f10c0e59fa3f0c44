import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { isMuted } from '#server/features/members/standing.ts'

const REASON = 'Muted on an account that was deleted meanwhile.'

const hashPerson = (secretKey: Buffer, discordId: string) =>
  createHmac('sha256', secretKey).update(`kept mute\n${discordId}`).digest()

/** Keeps a member's running mute beyond their account. In the transaction that deletes it, with the member locked. */
export async function retainMute(trx: Database, secretKey: Buffer, memberId: number): Promise<void> {
  const { rows } = await sql<{ discordId: string }>`select discord_id as "discordId" from members
    where id = ${memberId} and ${isMuted('members')}`.execute(trx)
  const [muted] = rows
  if (!muted) return
  await sql`insert into kept_mutes (discord_hash, muted_until)
    select ${hashPerson(secretKey, muted.discordId)}::bytea, muted_until from members where id = ${memberId}
    on conflict (discord_hash) do update set muted_until = excluded.muted_until`.execute(trx)
}

/** Mutes a new member whose former account was. In the transaction that makes the member. */
export async function restoreMute(
  trx: Database,
  secretKey: Buffer,
  memberId: number,
  discordId: string,
): Promise<void> {
  await sql`with kept as (
      delete from kept_mutes where discord_hash = ${hashPerson(secretKey, discordId)} returning muted_until),
    muted as (
      update members m set muted_until = kept.muted_until from kept
      where m.id = ${memberId} and kept.muted_until > now() returning m.muted_until)
    insert into sanctions (member_id, kind, reason, ends_at)
    select ${memberId}, 'mute', ${REASON}, muted_until from muted`.execute(trx)
}
