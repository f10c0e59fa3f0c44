import { streamUpdates } from './stream-updates.ts'

const POLL_MS = 300_000
/** A tab out of sight lets go of the connection: nobody sees what it would tell. */
const HIDDEN_MS = 30_000

/** Calls `refresh` now and then, when the tab comes back, and at once when the server has news. Answers with the way to stop. */
export function watchInbox(refresh: () => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let live: AbortController | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined

  const listen = () => {
    clearTimeout(leaving)
    if (live) return
    live = new AbortController()
    void streamUpdates(refresh, live.signal)
  }
  const leave = () => {
    clearTimeout(leaving)
    live?.abort()
    live = undefined
  }
  const onVisibility = () => {
    if (document.hidden) {
      leaving = setTimeout(leave, HIDDEN_MS)
    } else {
      refresh()
      listen()
    }
  }

  const poll = setInterval(refresh, POLL_MS)
  document.addEventListener('visibilitychange', onVisibility, { signal })
  // A page that holds a lock is not kept by the browser to come back to.
  addEventListener('pagehide', leave, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && onVisibility(), { signal })
  if (!document.hidden) listen()
  return () => {
    stop.abort()
    clearInterval(poll)
    leave()
  }
}
