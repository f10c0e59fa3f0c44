import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import { MAX_COUNTED_COMMENTS } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useUser } from '#web/lib/session.tsx'

/** The id in a URL's fragment such as `#comment-7`. */
function linkedId(): number | null {
  const [, id] = /^#comment-(\d{1,10})$/.exec(window.location.hash) ?? []
  return id === undefined ? null : Number(id)
}

export type LinkState = { state: 'none' | 'missing' } | { state: 'found'; thread: Thread }

/** The page with the number of comments, which is Infinity if the server stopped counting. */
const withTotal = (page: CommentPage): CommentPage => ({
  ...page,
  count: page.count < MAX_COUNTED_COMMENTS ? page.count : Infinity,
})

/** The comments of a script: those of the page, then those that are loaded, written and changed. */
export function useComments(scriptId: number, initial: CommentPage) {
  const api = useApi()
  const user = useUser()
  const [page, setPage] = useState(() => withTotal(initial))
  const [link, setLink] = useState<LinkState>({ state: 'none' })
  const viewerId = user?.id
  // The server renders the page for visitors; members also see which comments are theirs.
  useEffect(() => {
    if (viewerId === undefined) return undefined
    const controller = new AbortController()
    api('GET /api/script-comments', { query: { id: scriptId }, signal: controller.signal }).then(
      (loaded) => setPage(withTotal(loaded)),
      () => undefined,
    )
    return () => controller.abort()
  }, [api, scriptId, viewerId])

  const loadMore = async () => {
    const before = page.threads.at(-1)?.id
    const next = await api('GET /api/script-comments', {
      query: { id: scriptId, ...(before === undefined ? {} : { before }) },
    })
    setPage((current) => ({ ...current, threads: [...current.threads, ...next.threads], has_more: next.has_more }))
  }
  const loadReplies = async (thread: Thread) => {
    const after = thread.replies.at(-1)?.id
    const { thread: more } = await api('GET /api/comment-thread', {
      query: { id: thread.id, ...(after === undefined ? {} : { after }) },
    })
    change(thread.id, (current) => ({ ...more, replies: [...current.replies, ...more.replies] }))
  }
  const change = (threadId: number, update: (thread: Thread) => Thread | undefined) => {
    const updateAll = (threads: readonly Thread[]) =>
      threads.flatMap((thread) => (thread.id === threadId ? (update(thread) ?? []) : thread))
    setPage((current) => ({ ...current, threads: updateAll(current.threads) }))
    setLink((current) => {
      if (current.state !== 'found') return current
      const [thread] = updateAll([current.thread])
      return thread ? { state: 'found', thread } : { state: 'none' }
    })
  }

  /** Adds a new comment, or puts a changed one in its place. */
  const put = (comment: Comment) => {
    const { id, parent_id } = comment
    const shown = link.state === 'found' ? [...page.threads, link.thread] : page.threads
    const isShown = shown.some((thread) => thread.id === id || thread.replies.some((reply) => reply.id === id))
    if (!isShown) setPage((current) => ({ ...current, count: current.count + 1 }))
    if (parent_id !== null) {
      const replace = (replies: Comment[]) =>
        replies.some((reply) => reply.id === id)
          ? replies.map((reply) => (reply.id === id ? comment : reply))
          : [...replies, comment]
      return change(parent_id, (thread) => ({ ...thread, replies: replace(thread.replies) }))
    }
    if (isShown) return change(id, (thread) => ({ ...thread, ...comment }))
    setPage((current) => ({
      ...current,
      threads: [{ ...comment, replies: [], has_more_replies: false }, ...current.threads],
    }))
  }
  /** Removes a deleted comment. One with replies stays without its text. */
  const remove = ({ id, parent_id }: Comment) => {
    setPage((current) => ({ ...current, count: Math.max(0, current.count - 1) }))
    change(parent_id ?? id, (thread) => {
      if (parent_id === null) {
        return thread.replies.length > 0 ? { ...thread, text: null, state: 'deleted', is_own: false } : undefined
      }
      const replies = thread.replies.filter((reply) => reply.id !== id)
      const isEmpty = replies.length === 0 && !thread.has_more_replies && thread.text === null
      return isEmpty ? undefined : { ...thread, replies }
    })
  }

  const findLinked = useCallback(async () => {
    const id = linkedId()
    if (id === null) return
    const element = document.getElementById(`comment-${id}`)
    if (element) return element.scrollIntoView()
    const found = await api('GET /api/comment-thread', { query: { id } }).then(
      ({ thread, script_id }): LinkState =>
        script_id === scriptId ? { state: 'found', thread } : { state: 'missing' },
      (error): LinkState => ({ state: error instanceof ApiError && error.status === 404 ? 'missing' : 'none' }),
    )
    flushSync(() => setLink(found))
    const target = document.getElementById(`comment-${id}`) ?? document.getElementById('comments')
    target?.scrollIntoView()
  }, [api, scriptId])
  useEffect(() => {
    const follow = () => void findLinked()
    const frame = requestAnimationFrame(follow)
    window.addEventListener('hashchange', follow)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('hashchange', follow)
    }
  }, [findLinked])

  const linkedThread = link.state === 'found' ? link.thread : undefined
  return {
    ...page,
    threads: page.threads.filter(({ id }) => id !== linkedThread?.id),
    link,
    loadMore,
    loadReplies,
    put,
    remove,
    setSlow: (slow_seconds: number) => setPage((current) => ({ ...current, slow_seconds })),
  }
}

export type Comments = ReturnType<typeof useComments>
