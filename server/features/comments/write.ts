import { findLinks } from '@scriptyard/markdown'
import { sql } from 'kysely'
import type { Comment } from '#contract/comments.ts'
import { MAX_COMMENT_LENGTH } from '#contract/limits.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { type Caller, isStaff } from '#server/platform/authorization/guards.ts'
import { isReachable } from '#server/features/members/public-content.ts'
import { countUse, personOf } from '#server/platform/limits/limits.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { scriptNotFound } from '#server/features/scripts/visibility.ts'
import { AppError, forbidden } from '#server/platform/http/errors.ts'
import { parseText } from '#server/platform/http/text.ts'
import { type AnnounceOptions, announceComment, findMentions } from './announce.ts'
import { commentNotFound, type CommentsOptions, getComment } from './queries.ts'

/** Members are new for this time: their links wait for review. */
const NEW_MEMBER = sql`interval '7 days'`
/** In other scripts than Latin, a host may follow a word without a space. */
const HOST = /(?<![\p{Script=Latin}\p{Nd}_.])(?:www\.|discord\.gg\/)[\p{L}\p{N}]/iu

interface CommentedScript {
  id: number
  title: string
  author_id: number
  slow_seconds: number
}

/**
 * Throws AppError `invalid`, `script_not_found` unless everyone can see the script, `not_found`, `comment_deleted`,
 * `slow_mode`, `too_many_comments`, and what `lockMember` throws.
 */
export function postComment(
  options: CommentsOptions & AnnounceOptions,
  caller: Caller,
  { scriptId, parentId, text: raw }: { scriptId: number; parentId?: number | undefined; text: string },
): Promise<Comment> {
  const text = parseText(raw, { field: 'text', label: 'Your comment', maxLength: MAX_COMMENT_LENGTH })
  // Exclusive, so that concurrent comments of one member cannot pass the limits.
  return transactAsMember(options.db, { memberId: caller.id, exclusive: true }, async (trx) => {
    const script = await lockScript(trx, scriptId)
    const parent = parentId === undefined ? undefined : await lockParent(trx, scriptId, parentId)
    await requirePace(trx, caller, script)
    const isPending = await needsReview(trx, caller, script.author_id, text)
    const mentions = await findMentions(trx, text)
    const { id } = await trx
      .insertInto('comments')
      .values({
        script_id: scriptId,
        parent_id: parent?.rootId ?? null,
        replied_to_id: parentId ?? null,
        author_id: caller.id,
        text,
        mentions,
        is_pending: isPending,
        hidden_at: isPending ? sql<Date>`now()` : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isPending) await openCase(trx, { id, authorId: caller.id, script, text })
    else await announceComment(trx, options, id)
    return getComment({ ...options, db: trx }, id, caller)
  })
}

/** Locks a script that everyone can see against deletion. */
async function lockScript(trx: Transaction, id: number): Promise<CommentedScript> {
  const { rows } = await sql<CommentedScript>`select s.id, s.title, s.author_id,
      coalesce((select slow_seconds from comment_settings x where x.script_id = s.id), 0) as slow_seconds
    from scripts s join members m on m.id = s.author_id where s.id = ${id} and ${isReachable('s', 'm')}
    for key share of s`.execute(trx)
  if (!rows[0]) throw scriptNotFound()
  return rows[0]
}

/** Locks the comment that is replied to and its thread against deletion. */
async function lockParent(trx: Transaction, scriptId: number, id: number) {
  const { rows } = await sql<{ id: number; parent_id: number | null; text: string | null }>`
    select id, parent_id, text from comments
    where id in (${id}, (select parent_id from comments where id = ${id})) and script_id = ${scriptId}
      and (hidden_at is null or id <> ${id})
    order by id for share`.execute(trx)
  const parent = rows.find((row) => row.id === id)
  if (!parent) throw commentNotFound()
  if (parent.text === null) {
    throw new AppError('comment_deleted', 409, "This comment was deleted, so you can't reply to it.")
  }
  return { rootId: parent.parent_id ?? parent.id }
}

/** Throws AppError `slow_mode` or `too_many_comments`. Authors and moderators are exempt from slow mode. */
async function requirePace(trx: Transaction, caller: Caller, script: CommentedScript): Promise<void> {
  const person = personOf(caller.id)
  if (caller.id !== script.author_id && !isStaff(caller)) {
    // Also counted while slow mode is off: it may be turned on.
    const wait = await countUse(
      trx,
      'slow_mode',
      sql`${person} || ' ' || ${String(script.id)}::text`,
      script.slow_seconds,
    )
    const time = wait === 1 ? '1 second' : `${wait} seconds`
    if (wait > 0) {
      throw new AppError('slow_mode', 429, `Slow mode is on. You can comment again in ${time}.`, { retryAfter: wait })
    }
  }
  const retryAfter = await countUse(trx, 'comments', person)
  if (retryAfter > 0) {
    throw new AppError('too_many_comments', 429, "You've written a lot of comments. Try again later.", { retryAfter })
  }
}

/** Whether a text has a link and its author is new, and is neither the script's author nor a moderator. */
async function needsReview(trx: Transaction, caller: Caller, scriptAuthorId: number, text: string): Promise<boolean> {
  if (caller.id === scriptAuthorId || isStaff(caller)) return false
  if (!HOST.test(text) && findLinks(text).every(({ href }) => href === null)) return false
  const { rows } = await sql`select from members
    where id = ${caller.id} and created_at > now() - ${NEW_MEMBER}`.execute(trx)
  return rows.length > 0
}

interface PendingComment {
  id: number
  authorId: number
  script: CommentedScript
  text: string
}

async function openCase(trx: Transaction, { id, authorId, script, text }: PendingComment): Promise<void> {
  await sql`insert into report_cases (subject_type, subject_id, author_id, title, excerpt)
    values ('comment', ${id}, ${authorId}, ${`Comment on “${script.title}”`}, left(${text}, 2000))
    on conflict (subject_type, subject_id, reason) where status in ('open', 'claimed', 'ended') do nothing`.execute(trx)
}

interface OwnComment {
  script_id: number
  parent_id: number | null
  author_id: number | null
  text: string | null
  is_pending: boolean
  is_hidden: boolean
}

async function lockOwn(trx: Transaction, caller: Caller, id: number): Promise<OwnComment> {
  const { rows } = await sql<OwnComment>`select script_id, parent_id, author_id, text, is_pending,
      hidden_at is not null as is_hidden
    from comments where id = ${id} for update`.execute(trx)
  const [comment] = rows
  if (!comment || comment.text === null) throw commentNotFound()
  if (comment.author_id !== caller.id) {
    if (comment.is_hidden) throw commentNotFound()
    throw forbidden()
  }
  return comment
}

/** Throws AppError `invalid`, `not_found`, `forbidden`, `script_not_found`, `hidden`, and what `lockMember` throws. */
export function editComment(
  options: CommentsOptions & AnnounceOptions,
  caller: Caller,
  id: number,
  raw: string,
): Promise<Comment> {
  const text = parseText(raw, { field: 'text', label: 'Your comment', maxLength: MAX_COMMENT_LENGTH })
  return transactAsMember(options.db, { memberId: caller.id, exclusive: true }, async (trx) => {
    const comment = await lockOwn(trx, caller, id)
    const script = await lockScript(trx, comment.script_id)
    if (comment.is_hidden && !comment.is_pending) {
      throw new AppError('hidden', 409, "A moderator hid this comment, so you can't edit it.")
    }
    if (text !== comment.text) {
      const isPending = comment.is_pending || (await needsReview(trx, caller, script.author_id, text))
      const mentions = await findMentions(trx, text)
      await sql`update comments set text = ${text}, mentions = ${mentions}::int[], edited_at = now(), is_pending = ${isPending},
        hidden_at = case when ${isPending} then coalesce(hidden_at, now()) end where id = ${id}`.execute(trx)
      if (isPending) await openCase(trx, { id, authorId: caller.id, script, text })
      else await announceComment(trx, options, id)
    }
    return getComment({ ...options, db: trx }, id, caller)
  })
}

/** A comment with replies becomes empty. Throws AppError `not_found`, `forbidden`, and what `lockMember` throws. */
export function deleteComment(db: Database, caller: Caller, id: number): Promise<void> {
  return transactAsMember(db, { memberId: caller.id, allowMuted: true, exclusive: true }, async (trx) => {
    const { parent_id } = await lockThreadOf(trx, caller, id)
    await sql`delete from comment_votes where comment_id = ${id}`.execute(trx)
    const emptied =
      await sql`update comments set text = null, mentions = '{}', announced_to = '{}', author_id = null, deleted_at = now(),
        is_pending = false, hidden_at = null
      where id = ${id} and exists (select from comments where parent_id = ${id})`.execute(trx)
    if (emptied.numAffectedRows) return
    await sql`delete from comments where id = ${id}`.execute(trx)
    // The last reply takes the empty comment above it along.
    await sql`delete from comments where id = ${parent_id} and text is null
      and not exists (select from comments where parent_id = ${parent_id})`.execute(trx)
  })
}

/** Locks the thread's first comment before the reply, in the order in which replying locks them. */
async function lockThreadOf(trx: Transaction, caller: Caller, id: number): Promise<OwnComment> {
  await sql`select from comments where id = (select parent_id from comments where id = ${id}) for update`.execute(trx)
  return lockOwn(trx, caller, id)
}
