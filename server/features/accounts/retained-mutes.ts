import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { isMuted } from '#server/features/members/standing.ts'

const REASON = 'Muted on a previous account that was deleted.'

const hashDiscordId = (secretKey: Buffer, discordId: string) =>
  createHmac('sha256', secretKey).update(`kept mute\n${discordId}`).digest()

/** Stores an active mute under a hash of the Discord id when an account is deleted. The member must be locked. */
export async function retainMute(trx: Database, secretKey: Buffer, memberId: number): Promise<void> {
  const { rows } = await sql<{ discordId: string }>`select discord_id as "discordId" from members
    where id = ${memberId} and ${isMuted('members')}`.execute(trx)
  const [muted] = rows
  if (!muted) return
  await sql`insert into kept_mutes (discord_hash, muted_until)
    select ${hashDiscordId(secretKey, muted.discordId)}::bytea, muted_until from members where id = ${memberId}
    on conflict (discord_hash) do update set muted_until = excluded.muted_until`.execute(trx)
}

/** Mutes a new member whose deleted account was muted. */
export async function restoreMute(
  trx: Database,
  secretKey: Buffer,
  memberId: number,
  discordId: string,
): Promise<void> {
  await sql`with retained as (
      delete from kept_mutes where discord_hash = ${hashDiscordId(secretKey, discordId)} returning muted_until),
    muted as (
      update members m set muted_until = retained.muted_until from retained
      where m.id = ${memberId} and retained.muted_until > now() returning m.muted_until)
    insert into sanctions (member_id, kind, reason, ends_at)
    select ${memberId}, 'mute', ${REASON}, muted_until from muted`.execute(trx)
}
