import { sql } from 'kysely'
import type { FollowedAuthor } from '#contract/following.ts'
import type { Pagination } from '#contract/catalogue.ts'
import { MAX_FOLLOWS } from '#contract/limits.ts'
import type { Database } from '#server/platform/db/database.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import { isBlocking } from '#server/features/members/blocking.ts'
import { isActive, transactAsMember } from '#server/features/members/standing.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'

interface FollowKey {
  memberId: number
  authorId: number
}

export interface FollowStatus {
  is_following: boolean
  follower_count: number
}

/** Throws AppError `own_follow`, `not_found`, `blocked_member`, `too_many_follows`, and what `lockMember` throws. */
export function followAuthor(db: Database, { memberId, authorId }: FollowKey): Promise<FollowStatus> {
  if (memberId === authorId) throw new AppError('own_follow', 409, "You can't follow yourself.")
  // Exclusive, so that concurrent requests cannot pass the limit.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { rows } = await sql<{ isBlocked: boolean; others: number }>`select
        ${isBlocking(memberId, authorId)} as "isBlocked",
        (select count(*) from follows where follower_id = ${memberId} and author_id <> ${authorId}) as others
      from members m where id = ${authorId} and ${isActive('m')} for key share of m`.execute(trx)
    const [author] = rows
    if (!author) throw notFound('This member')
    if (author.isBlocked) throw new AppError('blocked_member', 409, 'You blocked this member. Unblock them first.')
    if (author.others >= MAX_FOLLOWS) {
      throw new AppError('too_many_follows', 409, `You follow ${MAX_FOLLOWS} members, which is the limit.`)
    }
    await sql`insert into follows (follower_id, author_id) values (${memberId}, ${authorId})
      on conflict do nothing`.execute(trx)
    return getFollowStatus(trx, { memberId, authorId })
  })
}

/** Throws what `lockMember` throws. */
export function unfollowAuthor(db: Database, { memberId, authorId }: FollowKey): Promise<FollowStatus> {
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await sql`delete from follows where follower_id = ${memberId} and author_id = ${authorId}`.execute(trx)
    return getFollowStatus(trx, { memberId, authorId })
  })
}

export async function getFollowStatus(db: Database, { memberId, authorId }: FollowKey): Promise<FollowStatus> {
  const { rows } = await sql<FollowStatus>`select
    exists (select from follows where follower_id = ${memberId} and author_id = ${authorId}) as is_following,
    coalesce((select follower_count from follower_counts where member_id = ${authorId}), 0) as follower_count`.execute(
    db,
  )
  return rows[0] ?? { is_following: false, follower_count: 0 }
}

interface AuthorRow {
  id: number
  username: string
  display_name: string | null
  slug: string
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  script_count: number
  created_at: Date
}

interface PageQuery {
  page: number
  limit: number
}

export async function listFollowedAuthors(
  { db }: { db: Database },
  memberId: number,
  { page, limit }: PageQuery,
): Promise<{ authors: FollowedAuthor[]; pagination: Pagination }> {
  const from = sql`follows f join members m on m.id = f.author_id
    where f.follower_id = ${memberId} and ${isActive('m')}`
  const [{ rows }, { rows: totals }] = await Promise.all([
    sql<AuthorRow>`select m.id, m.username, m.display_name, m.slug, ${publicAvatarColumns}, f.created_at,
        (select count(*) from (select from scripts where author_id = m.id and is_public and not is_unlisted limit 1000)) as script_count
      from ${from} order by f.created_at desc, f.author_id limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${from}`.execute(db),
  ])
  const total = totals[0]?.total ?? 0
  return {
    authors: rows.map((row) => ({
      user_id: row.id,
      name: displayNameOf(row),
      slug: row.slug,
      avatar_url: avatarUrl(row),
      script_count: row.script_count,
      followed_at: row.created_at.toISOString(),
    })),
    pagination: { page, limit, total, pages: Math.ceil(total / limit) },
  }
}
