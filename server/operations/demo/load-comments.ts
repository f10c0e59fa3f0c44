import { demoComments } from '#demo/comments.ts'
import type { DemoReply } from '#demo/types.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { findMentions } from '#server/features/comments/announce.ts'
import { daysAgo, getId } from './load-members.ts'

const HOUR_DAYS = 1 / 24

export async function loadComments(
  trx: Transaction,
  members: Map<string, number>,
  scripts: Map<string, number>,
): Promise<void> {
  for (const { script, replies, ...comment } of demoComments) {
    const script_id = getId(scripts, script)
    const parent_id = await insertComment(trx, members, { ...comment, script_id, parent_id: null })
    for (const [i, reply] of replies.entries()) {
      // Replies of the same day follow each other.
      const age = reply.daysAgo - (i + 1) * HOUR_DAYS
      await insertComment(trx, members, { ...reply, daysAgo: age, script_id, parent_id })
    }
  }
}

async function insertComment(
  trx: Transaction,
  members: Map<string, number>,
  comment: DemoReply & { script_id: number; parent_id: number | null },
): Promise<number> {
  const { script_id, parent_id, member, text, helpfulTo = [] } = comment
  const mentions = await findMentions(trx, text)
  const { id } = await trx
    .insertInto('comments')
    .values({
      script_id,
      parent_id,
      author_id: getId(members, member),
      text,
      mentions,
      announced_to: mentions,
      created_at: daysAgo(comment.daysAgo),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (helpfulTo.length === 0) return id
  const votes = helpfulTo.map((key) => ({ comment_id: id, member_id: getId(members, key) }))
  await trx.insertInto('comment_votes').values(votes).execute()
  return id
}
