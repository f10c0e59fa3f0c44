import { sql } from 'kysely'
import type { BlockedMember } from '#contract/blocks.ts'
import { MAX_BLOCKS } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { publishInboxChange } from '#server/features/notifications/notify.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'

interface BlockKey {
  memberId: number
  blockedId: number
}

/** Throws AppError `own_block`, `not_found`, `too_many_blocks`, and what `lockMember` throws. */
export function blockMember(db: Database, { memberId, blockedId }: BlockKey): Promise<void> {
  if (memberId === blockedId) throw new AppError('own_block', 409, "You can't block yourself.")
  // Exclusive, so that concurrent requests cannot pass the limit or follow the member again.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql<{ others: number }>`select
        (select count(*) from blocks where blocker_id = ${memberId} and blocked_id <> ${blockedId}) as others
      from members m where id = ${blockedId} for key share of m`.execute(trx)
    const [blocked] = rows
    if (!blocked) throw notFound('This member')
    if (blocked.others >= MAX_BLOCKS) {
      throw new AppError('too_many_blocks', 409, `You have blocked ${MAX_BLOCKS} members, which is the limit.`)
    }
    await sql`insert into blocks (blocker_id, blocked_id) values (${memberId}, ${blockedId})
      on conflict do nothing`.execute(trx)
    await sql`delete from follows where follower_id = ${memberId} and author_id = ${blockedId}`.execute(trx)
    // Notifications about the member's scripts are no longer in the inbox.
    await publishInboxChange(trx, memberId)
  })
}

/** Throws what `lockMember` throws. */
export function unblockMember(db: Database, { memberId, blockedId }: BlockKey): Promise<void> {
  return transactAsMember(db, { memberId, allowMuted: true }, async (trx) => {
    await sql`delete from blocks where blocker_id = ${memberId} and blocked_id = ${blockedId}`.execute(trx)
    await publishInboxChange(trx, memberId)
  })
}

interface BlockedRow {
  id: number
  username: string
  display_name: string | null
  slug: string
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  created_at: Date
}

export async function listBlocked({ db }: { db: Database }, memberId: number): Promise<BlockedMember[]> {
  const { rows } = await sql<BlockedRow>`select m.id, m.username, m.display_name, m.slug, ${publicAvatarColumns},
      b.created_at
    from blocks b join members m on m.id = b.blocked_id where b.blocker_id = ${memberId}
    order by b.created_at desc, m.id limit ${MAX_BLOCKS}`.execute(db)
  return rows.map((row) => ({
    user_id: row.id,
    name: displayNameOf(row),
    slug: row.slug,
    avatar_url: avatarUrl(row),
    blocked_at: row.created_at.toISOString(),
  }))
}
