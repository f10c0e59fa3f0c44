import Type, { type Static } from 'typebox'
import { COMMENT_SLOW_SECONDS, MAX_COMMENT_LENGTH, MAX_COUNTED_COMMENTS } from './limits.ts'
import { cursor, id, nextCursor, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

export const Comment = Type.Object({
  id: Type.Integer(),
  parent_id: Type.Union([Type.Integer(), Type.Null()], { description: 'The comment that this is a reply to' }),
  text: Type.Union([Type.String(), Type.Null()], {
    description: 'As written: code and links are formatted on pages; null if the comment was deleted',
  }),
  author_name: Type.String({ description: "'Deleted member' if the account was deleted" }),
  author_slug: Type.String({ description: 'Empty if the account was deleted' }),
  author_avatar: Type.String(),
  author_discord_id: nullableText,
  is_script_author: Type.Boolean(),
  mentions: Type.Array(Type.Object({ name: Type.String(), slug: Type.String() }), {
    description: 'Members that the text mentions as @name',
  }),
  helpful_count: Type.Integer(),
  state: Type.Enum(['published', 'deleted', 'pending', 'hidden'], {
    description: 'Only the author and moderators see comments that wait for review or hidden',
  }),
  is_own: Type.Boolean(),
  is_helpful: Type.Boolean({ description: 'Whether the caller found it helpful' }),
  created_at: time,
  edited_at: nullableTime,
})
export type Comment = Static<typeof Comment>

export const Thread = Type.Object({
  ...Comment.properties,
  replies: Type.Array(Comment, { description: 'Oldest first' }),
  has_more_replies: Type.Boolean(),
})
export type Thread = Static<typeof Thread>

const text = Type.String({ minLength: 1, maxLength: MAX_COMMENT_LENGTH })
const slowSeconds = Type.Enum([...COMMENT_SLOW_SECONDS])

export const CommentPage = Type.Object({
  threads: Type.Array(Thread),
  has_more: Type.Boolean(),
  pagination: Type.Object({ next_cursor: nextCursor }),
  count: Type.Integer({ description: `Number of comments and replies, counted up to ${MAX_COUNTED_COMMENTS}` }),
  slow_seconds: Type.Integer({ description: 'Minimum time between two comments of a member' }),
})
export type CommentPage = Static<typeof CommentPage>

export const commentOperations = {
  'GET /api/script-comments': {
    access: 'optionalMember',
    stable: { route: 'GET /api/v1/scripts/{slug}/comments', path: { slug: 'id' } },
    cacheControl: 'no-cache',
    summary: "A script's comments, 20 threads per page, newest first, each with its first replies",
    query: Type.Object({
      id,
      before: Type.Optional(Type.Integer({ ...id, description: 'The id of the last thread of the page before' })),
      cursor,
    }),
    response: { 200: CommentPage },
  },
  'GET /api/comment-thread': {
    access: 'optionalMember',
    cacheControl: 'no-cache',
    summary: 'The thread of a comment, with 20 replies: from the one with this id, or after the one in `after`',
    query: Type.Object({ id, after: Type.Optional(id) }),
    response: { 200: Type.Object({ thread: Thread, script_id: Type.Integer() }) },
  },
  'POST /api/script-comments': {
    access: 'notMuted',
    limit: 'comment',
    scope: 'comments:write',
    stable: { route: 'POST /api/v1/scripts/{slug}/comments', path: { slug: 'id' } },
    summary: 'Comment on a script, or reply to a comment. Links of new members wait for review',
    query: Type.Object({ id }),
    body: Type.Object({ text, parent_id: Type.Optional(id) }, strict),
    response: { 201: Type.Object({ comment: Comment, message: Type.String() }) },
  },
  'PUT /api/script-comment': {
    access: 'notMuted',
    scope: 'comments:write',
    stable: { route: 'PATCH /api/v1/comments/{id}', path: { id: 'id' } },
    summary: "Edit the caller's comment",
    query: Type.Object({ id }),
    body: Type.Object({ text }, strict),
    response: { 200: Type.Object({ comment: Comment, message: Type.String() }) },
  },
  'DELETE /api/script-comment': {
    access: 'member',
    scope: 'comments:write',
    stable: { route: 'DELETE /api/v1/comments/{id}', path: { id: 'id' } },
    summary: "Delete the caller's comment. Replies to it stay",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'PUT /api/comment-settings': {
    access: 'member',
    summary: "Set slow mode for the comments on the caller's script, or as a moderator on any",
    body: Type.Object({ script_id: id, slow_seconds: slowSeconds }, strict),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'PUT /api/helpful': {
    access: 'notMuted',
    summary: 'Mark a review or a comment as helpful, or take it back',
    body: Type.Object(
      { subject_type: Type.Enum(['review', 'comment']), subject_id: id, is_helpful: Type.Boolean() },
      strict,
    ),
    response: { 200: Type.Object({ helpful_count: Type.Integer() }) },
  },
  'GET /api/own-helpful': {
    access: 'member',
    summary: 'The reviews of a script that the caller found helpful, by id, at most 500',
    query: Type.Object({ id }),
    response: { 200: Type.Object({ reviews: Type.Array(Type.Integer()) }) },
  },
} as const satisfies Record<string, Operation>
