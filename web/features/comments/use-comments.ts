import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useUser } from '#web/lib/session.tsx'
import {
  addReplies,
  addThreads,
  lastLoadedReply,
  type LinkState,
  openComments,
  putComment,
  removeComment,
  setSlowSeconds,
  showLinked,
} from './comments-state.ts'

/** The id in a URL's fragment such as `#comment-7`. */
function linkedId(): number | null {
  const [, id] = /^#comment-(\d{1,10})$/.exec(window.location.hash) ?? []
  return id === undefined ? null : Number(id)
}

/** The comments of a script: those of the page, then those that are loaded, written and changed. */
export function useComments(scriptId: number, initial: CommentPage) {
  const api = useApi()
  const user = useUser()
  const [state, setState] = useState(() => openComments(initial))
  const { page, link } = state
  const viewerId = user?.id
  // The server renders the page for visitors; members also see which comments are theirs.
  useEffect(() => {
    if (viewerId === undefined) return undefined
    const controller = new AbortController()
    api('GET /api/script-comments', { query: { id: scriptId }, signal: controller.signal }).then(
      (loaded) => setState((current) => showLinked(openComments(loaded), current.link)),
      () => undefined,
    )
    return () => controller.abort()
  }, [api, scriptId, viewerId])

  const loadMore = async () => {
    const before = page.threads.at(-1)?.id
    const next = await api('GET /api/script-comments', {
      query: { id: scriptId, ...(before === undefined ? {} : { before }) },
    })
    setState((current) => addThreads(current, next))
  }
  const loadReplies = async (thread: Thread) => {
    const after = lastLoadedReply(state, thread.id)
    const { thread: more } = await api('GET /api/comment-thread', {
      query: { id: thread.id, ...(after === undefined ? {} : { after }) },
    })
    setState((current) => addReplies(current, more))
  }

  const findLinked = useCallback(async () => {
    const id = linkedId()
    if (id === null) return
    const element = document.getElementById(`comment-${id}`)
    if (element) return element.scrollIntoView()
    const linked = await api('GET /api/comment-thread', { query: { id } }).then(
      ({ thread, script_id }): LinkState =>
        script_id === scriptId ? { state: 'found', thread } : { state: 'missing' },
      (error): LinkState => ({ state: error instanceof ApiError && error.status === 404 ? 'missing' : 'none' }),
    )
    flushSync(() => setState((current) => showLinked(current, linked)))
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
    put: (comment: Comment) => setState((current) => putComment(current, comment)),
    remove: (comment: Comment) => setState((current) => removeComment(current, comment)),
    setSlow: (seconds: number) => setState((current) => setSlowSeconds(current, seconds)),
  }
}

export type Comments = ReturnType<typeof useComments>
