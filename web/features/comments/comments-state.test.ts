import { expect, test } from 'vitest'
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import {
  addReplies,
  addThreads,
  type CommentsState,
  lastLoadedReply,
  openComments,
  putComment,
  removeComment,
  showLinked,
} from './comments-state.ts'

const comment = (id: number, parent_id: number | null = null): Comment => ({
  id,
  parent_id,
  text: `Comment ${id}`,
  author_name: 'Ada',
  author_slug: 'ada',
  author_avatar: '',
  author_discord_id: null,
  is_script_author: false,
  mentions: [],
  helpful_count: 0,
  state: 'published',
  is_own: false,
  is_helpful: false,
  created_at: '2026-01-01T00:00:00.000Z',
  edited_at: null,
})
const thread = (id: number, replies: number[] = [], has_more_replies = false): Thread => ({
  ...comment(id),
  replies: replies.map((reply) => comment(reply, id)),
  has_more_replies,
})
const page = (threads: Thread[], has_more = false): CommentPage => ({
  threads,
  has_more,
  pagination: { next_cursor: null },
  count: 7,
  slow_seconds: 0,
})
const repliesOf = ({ page: { threads } }: CommentsState, id: number) =>
  threads.find((one) => one.id === id)?.replies.map((reply) => reply.id)
const threadsOf = ({ page: { threads } }: CommentsState) => threads.map(({ id }) => id)

test('replies that were not loaded yet come before an own reply, and after what was loaded last', () => {
  let state = putComment(openComments(page([thread(1, [2, 3, 4], true)])), comment(9, 1))
  expect([lastLoadedReply(state, 1), repliesOf(state, 1), state.page.count]).toEqual([4, [2, 3, 4, 9], 8])
  state = addReplies(state, thread(1, [5, 6], true))
  expect([lastLoadedReply(state, 1), repliesOf(state, 1)]).toEqual([6, [2, 3, 4, 5, 6, 9]])
  state = putComment(state, comment(10, 1))
  state = addReplies(state, thread(1, [7, 9, 10]))
  expect(repliesOf(state, 1)).toEqual([2, 3, 4, 5, 6, 7, 9, 10])
  expect(state.page.threads[0]?.has_more_replies).toBe(false)
})

test('replies follow the last loaded one although it was deleted since', () => {
  const state = removeComment(openComments(page([thread(1, [2, 3, 4], true)])), comment(4, 1))
  expect([lastLoadedReply(state, 1), repliesOf(state, 1)]).toEqual([4, [2, 3]])
})

test('a reply to a thread without replies does not hide the first ones', () => {
  const state = putComment(openComments(page([thread(1, [], true)])), comment(9, 1))
  expect(lastLoadedReply(state, 1)).toBeUndefined()
  expect(repliesOf(addReplies(state, thread(1, [2, 9])), 1)).toEqual([2, 9])
})

test('a changed reply stays in its place', () => {
  const state = putComment(openComments(page([thread(1, [2, 3])])), { ...comment(2, 1), text: 'Changed' })
  expect(state.page.threads[0]?.replies.map(({ text }) => text)).toEqual(['Changed', 'Comment 3'])
  expect(state.page.count).toBe(7)
})

test('threads are listed once and newest first, whatever is loaded or written in between', () => {
  const state = addThreads(
    putComment(openComments(page([thread(8), thread(6)], true)), comment(9)),
    page([thread(6), thread(3)]),
  )
  expect([threadsOf(state), state.page.has_more, state.page.count]).toEqual([[9, 8, 6, 3], false, 8])
})

test('the thread of a link has its own replies, which more follow', () => {
  const linked = showLinked(openComments(page([thread(8)])), { state: 'found', thread: thread(1, [5, 6], true) })
  const state = addReplies(putComment(linked, comment(9, 1)), thread(1, [7, 9]))
  expect(lastLoadedReply(linked, 1)).toBe(6)
  expect(state.link.state === 'found' && state.link.thread.replies.map(({ id }) => id)).toEqual([5, 6, 7, 9])
})

test('a deleted comment with replies loses its text, and goes with its last reply', () => {
  let state = removeComment(openComments(page([thread(1, [2])])), comment(1))
  expect(state.page.threads[0]).toMatchObject({ text: null, state: 'deleted' })
  state = removeComment(state, comment(2, 1))
  expect([threadsOf(state), state.page.count]).toEqual([[], 5])
})
