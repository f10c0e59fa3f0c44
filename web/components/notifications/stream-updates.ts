import { readEventStream, StreamError } from '#web/lib/event-stream.ts'

const PATH = '/api/notification-stream'
const FIRST_WAIT_MS = 5000
const MAX_WAIT_MS = 5 * 60_000

/**
 * Tells of news until `signal` aborts. One tab of a browser holds the lock and with it the only connection; the others wait
 * for their turn. Where there are no locks, without https, nothing is told.
 */
export async function streamUpdates(onNews: () => void, signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator)) return
  // Rejects when it is given up while waiting for the turn.
  await navigator.locks
    .request('notification-stream', { signal }, () => streamWithRetries(onNews, signal))
    .catch(() => undefined)
}

async function streamWithRetries(onNews: () => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  const onOpen = () => {
    failures = 0
    // What happened before was not heard.
    onNews()
  }
  while (!signal.aborted) {
    const refusal = await readEventStream(PATH, { signal, onOpen, onEvent: onNews }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (signal.aborted) return
    // The next question finds out whether the session is over.
    if (refusal instanceof StreamError && refusal.status < 500 && refusal.status !== 429) return onNews()
    const asked = refusal instanceof StreamError ? refusal.retryAfterSeconds * 1000 : 0
    await pause(Math.max(asked, waitAfter(failures++)), signal)
  }
}

/** Longer each time, and never the same for all browsers of a server that went away. */
const waitAfter = (failures: number) => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random())

/** Waits; less long when the network comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end, { signal: done.signal })
    signal.addEventListener('abort', end, { signal: done.signal })
  })
}
