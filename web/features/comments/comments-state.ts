// The comments that a page shows, and how they change. Lists are in the order of the server, whatever arrives first.
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import { MAX_COUNTED_COMMENTS } from '#contract/limits.ts'

export type LinkState = { state: 'none' | 'missing' } | { state: 'found'; thread: Thread }

export interface CommentsState {
  page: CommentPage
  /** The thread of the comment in the URL's fragment, if the page does not have it. */
  link: LinkState
  /** By thread, the last reply that the server has sent in its order. Replies written here come after it. */
  loadedTo: ReadonlyMap<number, number>
}

/** `count` is Infinity if the server stopped counting. */
export const openComments = (page: CommentPage): CommentsState => ({
  page: { ...page, count: page.count < MAX_COUNTED_COMMENTS ? page.count : Infinity },
  link: { state: 'none' },
  loadedTo: loadedIn(page.threads),
})

const loadedIn = (threads: readonly Thread[]): Map<number, number> =>
  new Map(threads.map(({ id, replies }) => [id, replies.at(-1)?.id ?? 0]))

/** Items by id, each once; the later one of two with the same id. */
function mergeById<T extends { id: number }>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()].toSorted(compare)
}

const oldestFirst = (a: Comment, b: Comment) => a.id - b.id
const newestFirst = (a: Comment, b: Comment) => b.id - a.id

function changeThread(
  state: CommentsState,
  threadId: number,
  change: (thread: Thread) => Thread | undefined,
): CommentsState {
  const changeIn = (threads: readonly Thread[]) =>
    threads.flatMap((thread) => (thread.id === threadId ? (change(thread) ?? []) : thread))
  const { page, link } = state
  const [linked] = link.state === 'found' ? changeIn([link.thread]) : []
  return {
    ...state,
    page: { ...page, threads: changeIn(page.threads) },
    link: link.state !== 'found' ? link : linked ? { state: 'found', thread: linked } : { state: 'none' },
  }
}

export const showLinked = (state: CommentsState, link: LinkState): CommentsState => ({
  ...state,
  link,
  loadedTo: link.state === 'found' ? new Map([...state.loadedTo, ...loadedIn([link.thread])]) : state.loadedTo,
})

export const addThreads = (state: CommentsState, { threads, has_more }: CommentPage): CommentsState => ({
  ...state,
  page: { ...state.page, threads: mergeById([...threads, ...state.page.threads], newestFirst), has_more },
  loadedTo: new Map([...loadedIn(threads), ...state.loadedTo]),
})

/** The reply after which the next ones are to be loaded; undefined for the first ones. */
export const lastLoadedReply = ({ loadedTo }: CommentsState, threadId: number): number | undefined =>
  loadedTo.get(threadId) || undefined

/** Adds the next replies of a thread, which the server has sent. */
export function addReplies(state: CommentsState, more: Thread): CommentsState {
  const loadedTo = new Map(state.loadedTo)
  const last = more.replies.at(-1)
  if (last) loadedTo.set(more.id, last.id)
  return changeThread({ ...state, loadedTo }, more.id, (thread) => ({
    ...more,
    replies: mergeById([...thread.replies, ...more.replies], oldestFirst),
  }))
}

/** Adds a new comment, or puts a changed one in its place. */
export function putComment(state: CommentsState, comment: Comment): CommentsState {
  const { id, parent_id } = comment
  const { page, link } = state
  const shown = link.state === 'found' ? [...page.threads, link.thread] : page.threads
  const isShown = shown.some((thread) => thread.id === id || thread.replies.some((reply) => reply.id === id))
  const counted = isShown ? state : { ...state, page: { ...page, count: page.count + 1 } }
  if (parent_id !== null) {
    return changeThread(counted, parent_id, (thread) => ({
      ...thread,
      replies: mergeById([...thread.replies, comment], oldestFirst),
    }))
  }
  if (isShown) return changeThread(counted, id, (thread) => ({ ...thread, ...comment }))
  const thread = { ...comment, replies: [], has_more_replies: false }
  return { ...counted, page: { ...counted.page, threads: mergeById([thread, ...page.threads], newestFirst) } }
}

/** Removes a deleted comment. One with replies stays without its text. */
export function removeComment(state: CommentsState, { id, parent_id }: Comment): CommentsState {
  const { page } = state
  const counted = { ...state, page: { ...page, count: Math.max(0, page.count - 1) } }
  return changeThread(counted, parent_id ?? id, (thread) => {
    if (parent_id === null) {
      return thread.replies.length > 0 ? { ...thread, text: null, state: 'deleted', is_own: false } : undefined
    }
    const replies = thread.replies.filter((reply) => reply.id !== id)
    const isEmpty = replies.length === 0 && !thread.has_more_replies && thread.text === null
    return isEmpty ? undefined : { ...thread, replies }
  })
}

export const setSlowSeconds = (state: CommentsState, slow_seconds: number): CommentsState => ({
  ...state,
  page: { ...state.page, slow_seconds },
})
