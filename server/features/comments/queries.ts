import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import { MAX_COUNTED_COMMENTS } from '#contract/limits.ts'
import type { QueryOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type Caller, isStaff } from '#server/platform/authorization/guards.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import { isBlocking } from '#server/features/members/blocking.ts'
import { isActive } from '#server/features/members/standing.ts'
import { scriptNotFound, visibleTo } from '#server/features/scripts/visibility.ts'
import { cursorId, cursorOf } from '#server/platform/http/cursor.ts'
import { notFound } from '#server/platform/http/errors.ts'

const THREADS_PER_PAGE = 20
const FIRST_REPLIES = 3
const REPLIES_PER_PAGE = 20

export interface CommentsOptions {
  db: Database
}

export type Viewer = Caller | undefined

export const commentNotFound = () => notFound('This comment')

interface CommentRow {
  id: number
  script_id: number
  parent_id: number | null
  text: string | null
  author_id: number | null
  username: string | null
  display_name: string | null
  slug: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  is_script_author: boolean
  mentions: { name: string; slug: string }[] | null
  helpful_count: number
  is_pending: boolean
  is_hidden: boolean
  is_helpful: boolean
  created_at: Date
  edited_at: Date | null
}

/** SQL: the viewer is shown a comment and did not block its member, who may be missing. Takes their aliases. */
function isShown(viewer: Viewer, comment = 'c', member = 'm'): RawBuilder<boolean> {
  if (viewer && isStaff(viewer)) return sql`true`
  const isPublished = sql`${sql.ref(`${comment}.hidden_at`)} is null and ${isActive(member)}`
  if (!viewer) return sql<boolean>`(${isPublished})`
  const author = sql.ref(`${comment}.author_id`)
  return sql<boolean>`(${isPublished} and not ${isBlocking(viewer.id, author)} or ${author} = ${viewer.id})`
}

/** SQL: the columns of a comment. `source` yields rows of comments as `c`. */
function select(viewer: Viewer, source: RawBuilder<unknown>): RawBuilder<CommentRow> {
  return sql<CommentRow>`select c.id, c.script_id, c.parent_id, c.text, c.author_id, m.username, m.display_name, m.slug,
      ${publicAvatarColumns}, coalesce(s.author_id = c.author_id, false) as is_script_author, c.helpful_count, c.is_pending,
      c.hidden_at is not null as is_hidden, c.created_at, c.edited_at,
      exists (select from comment_votes v where v.comment_id = c.id and v.member_id = ${viewer?.id ?? null}::int)
        as is_helpful,
      case when c.mentions <> '{}' then (select json_agg(json_build_object('name', o.username, 'slug', o.slug))
        from members o where o.id = any(c.mentions) and ${isActive('o')}) end as mentions
    from ${source} join scripts s on s.id = c.script_id left join members m on m.id = c.author_id`
}

function toComment(row: CommentRow, viewer: Viewer): Comment {
  const { username, display_name, profile_image, discord_id, avatar } = row
  const isKnown = username !== null
  return {
    id: row.id,
    parent_id: row.parent_id,
    text: row.text,
    author_name: isKnown ? displayNameOf({ username, display_name }) : 'Deleted member',
    author_slug: row.slug ?? '',
    author_avatar: isKnown ? avatarUrl({ profile_image, discord_id, avatar }) : '',
    author_discord_id: discord_id,
    is_script_author: row.is_script_author,
    mentions: row.mentions ?? [],
    helpful_count: row.helpful_count,
    state: row.text === null ? 'deleted' : row.is_pending ? 'pending' : row.is_hidden ? 'hidden' : 'published',
    is_own: viewer !== undefined && row.author_id === viewer.id,
    is_helpful: row.is_helpful,
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  }
}

/** The columns by which the threads of a page are read: rows of comments as `c`, in the order of the list. */
const threadIds = (scriptId: number, viewer: Viewer, before: number | undefined) => sql`(
  select c.* from comments c left join members m on m.id = c.author_id
  where c.script_id = ${scriptId} and c.parent_id is null and ${before === undefined ? sql`true` : sql`c.id < ${before}`}
    and ${isShown(viewer)}
  order by c.id desc limit ${THREADS_PER_PAGE + 1}) c`

const firstReplies = (threads: readonly number[], viewer: Viewer) => sql`(
  select r.* from unnest(${threads}::int[]) t (id) cross join lateral (
    select c.* from comments c left join members m on m.id = c.author_id
    where c.parent_id = t.id and ${isShown(viewer)} order by c.id limit ${FIRST_REPLIES + 1}) r) c`

const threadCursor = cursorOf(Type.Object({ before: cursorId }))

/** Throws AppError `invalid`, and `script_not_found`, also if the viewer may not see the script. */
export async function listThreads(
  options: CommentsOptions,
  { id, before: beforeId, cursor }: QueryOf<'GET /api/script-comments'>,
  viewer: Viewer,
): Promise<CommentPage> {
  const { db } = options
  const before = cursor ? threadCursor.decode(cursor).before : beforeId
  // At once, although nothing is shown if the script is not visible.
  const [{ slowSeconds }, { rows }, count] = await Promise.all([
    getCommentedScript(db, id, viewer),
    sql<CommentRow>`${select(viewer, threadIds(id, viewer, before))} order by c.id desc`.execute(db),
    before === undefined ? countComments(db, id, viewer) : 0,
  ])
  const shown = rows.slice(0, THREADS_PER_PAGE)
  const last = rows.length > THREADS_PER_PAGE ? shown.at(-1) : undefined
  const replies = await findReplies(db, shown, viewer)
  return {
    threads: shown.map((row) => toThread(row, replies.get(row.id) ?? [], FIRST_REPLIES, viewer)),
    has_more: last !== undefined,
    pagination: { next_cursor: last ? threadCursor.encode({ before: last.id }) : null },
    count,
    slow_seconds: slowSeconds,
  }
}

async function getCommentedScript(db: Database, id: number, viewer: Viewer): Promise<{ slowSeconds: number }> {
  const { rows } = await sql<{ slowSeconds: number }>`select coalesce(x.slow_seconds, 0) as "slowSeconds"
    from scripts s join members m on m.id = s.author_id left join comment_settings x on x.script_id = s.id
    where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  if (!rows[0]) throw scriptNotFound()
  return rows[0]
}

async function findReplies(db: Database, threads: readonly CommentRow[], viewer: Viewer) {
  const repliesByThread = new Map<number, CommentRow[]>()
  if (threads.length === 0) return repliesByThread
  const source = firstReplies(
    threads.map((row) => row.id),
    viewer,
  )
  const { rows } = await sql<CommentRow>`${select(viewer, source)} order by c.id`.execute(db)
  for (const row of rows) {
    const replies = repliesByThread.get(row.parent_id ?? 0) ?? []
    replies.push(row)
    repliesByThread.set(row.parent_id ?? 0, replies)
  }
  return repliesByThread
}

async function countComments(db: Database, scriptId: number, viewer: Viewer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from comments c left join members m on m.id = c.author_id
    where c.script_id = ${scriptId} and c.deleted_at is null and ${isShown(viewer)}
      and (c.parent_id is null or exists (select from comments t left join members a on a.id = t.author_id
        where t.id = c.parent_id and ${isShown(viewer, 't', 'a')})) limit ${MAX_COUNTED_COMMENTS}) x`.execute(db)
  return rows[0]?.count ?? 0
}

function toThread(row: CommentRow, replies: readonly CommentRow[], limit: number, viewer: Viewer): Thread {
  return {
    ...toComment(row, viewer),
    replies: replies.slice(0, limit).map((reply) => toComment(reply, viewer)),
    has_more_replies: replies.length > limit,
  }
}

/** Replies after `after`, or from the comment on if it is a reply. Throws AppError `not_found`, also if not visible. */
export async function getThread(
  options: CommentsOptions,
  { id, after }: { id: number; after?: number | undefined },
  viewer: Viewer,
): Promise<{ thread: Thread; script_id: number }> {
  const { db } = options
  const requested = await findVisible(db, id, viewer)
  const root = requested?.parent_id == null ? requested : await findVisible(db, requested.parent_id, viewer)
  if (!requested || !root) throw commentNotFound()
  const start = after === undefined ? sql`c.id >= ${id}` : sql`c.id > ${after}`
  const source = sql`(select c.* from comments c left join members m on m.id = c.author_id
    where c.parent_id = ${root.id} and ${start} and ${isShown(viewer)} order by c.id limit ${REPLIES_PER_PAGE + 1}) c`
  const { rows } = await sql<CommentRow>`${select(viewer, source)} order by c.id`.execute(db)
  return { thread: toThread(root, rows, REPLIES_PER_PAGE, viewer), script_id: root.script_id }
}

async function findVisible(db: Database, id: number, viewer: Viewer): Promise<CommentRow | undefined> {
  const source = sql`(select c.* from comments c left join members m on m.id = c.author_id
    where c.id = ${id} and ${isShown(viewer)}) c`
  const { rows } = await sql<CommentRow>`select found.* from (${select(viewer, source)}) found
    join scripts s on s.id = found.script_id join members m on m.id = s.author_id
    where ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/** A comment as its author sees it. Throws AppError `not_found`. */
export async function getComment(options: CommentsOptions, id: number, viewer: Viewer): Promise<Comment> {
  const { rows } = await select(viewer, sql`(select * from comments where id = ${id}) c`).execute(options.db)
  if (!rows[0]) throw commentNotFound()
  return toComment(rows[0], viewer)
}
