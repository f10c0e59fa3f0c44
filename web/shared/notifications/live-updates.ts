import { readToken } from '#web/lib/token.ts'

const POLL_MS = 300_000
/** Delay after which a hidden tab closes its connection. */
const HIDDEN_MS = 30_000

/**
 * Calls `refresh` every five minutes, when the tab becomes visible, and whenever the server announces a change. Returns
 * a function that stops it.
 */
export function watchInbox(refresh: () => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let connection: AbortController | undefined
  let hidden: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(hidden)
    if (connection) return
    connection = new AbortController()
    void streamUpdates(refresh, connection.signal)
  }
  const disconnect = () => {
    clearTimeout(hidden)
    connection?.abort()
    connection = undefined
  }
  const onVisibility = () => {
    if (document.hidden) {
      hidden = setTimeout(disconnect, HIDDEN_MS)
    } else {
      refresh()
      connect()
    }
  }

  const poll = setInterval(refresh, POLL_MS)
  document.addEventListener('visibilitychange', onVisibility, { signal })
  // The back/forward cache rejects pages that have a lock.
  addEventListener('pagehide', disconnect, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && onVisibility(), { signal })
  if (!document.hidden) connect()
  return () => {
    stop.abort()
    clearInterval(poll)
    disconnect()
  }
}

const STREAM_PATH = '/api/notification-stream'
const FIRST_WAIT_MS = 5000
const MAX_WAIT_MS = 5 * 60_000

/**
 * Calls `onChange` for each event of the stream until `signal` aborts. A lock allows one connection per browser: the
 * other tabs wait for it, and learn of changes by BroadcastChannel. Without Web Locks (no HTTPS) there is no stream.
 */
async function streamUpdates(onChange: () => void, signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator)) return
  // Rejects if `signal` aborts while waiting for the lock.
  await navigator.locks
    .request('notification-stream', { signal }, () => streamWithRetries(onChange, signal))
    .catch(() => undefined)
}

async function streamWithRetries(onChange: () => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  const onOpen = () => {
    failures = 0
    // Events from before the connection were missed.
    onChange()
  }
  while (!signal.aborted) {
    const error = await readEventStream(STREAM_PATH, { signal, onOpen, onEvent: onChange }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (signal.aborted) return
    // The refresh finds out whether the session has ended.
    if (error instanceof StreamError && error.status < 500 && error.status !== 429) return onChange()
    const retryAfterMs = error instanceof StreamError ? error.retryAfterSeconds * 1000 : 0
    await pause(Math.max(retryAfterMs, waitAfter(failures++)), signal)
  }
}

/** Exponential backoff with jitter, so that browsers do not reconnect to a restarted server all at once. */
const waitAfter = (failures: number) => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random())

/** Waits. Ends early when the browser is online again, or if `signal` aborts. */
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

/** The server sends a heartbeat every 25 seconds. After this long without one, the connection is dead. */
const MAX_SILENCE_MS = 70_000

/** An error response instead of a stream. */
class StreamError extends Error {
  readonly status: number
  /** From the Retry-After header, 0 without one. */
  readonly retryAfterSeconds: number

  constructor({ status, headers }: Response) {
    super(`HTTP ${status}`)
    this.status = status
    this.retryAfterSeconds = Number(headers.get('retry-after') ?? 0)
  }
}

interface StreamHandlers {
  signal: AbortSignal
  onOpen: () => void
  onEvent: (name: string) => void
}

/**
 * Reads server-sent events until the server closes the stream or `signal` aborts. Uses fetch, because EventSource
 * cannot send the session token. Rejects with StreamError, or as fetch does.
 */
async function readEventStream(path: string, { signal, onOpen, onEvent }: StreamHandlers): Promise<void> {
  const token = readToken()
  const response = await fetch(path, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    cache: 'no-store',
    signal,
  })
  if (!response.ok || !response.body) throw new StreamError(response)
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffered = ''
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), MAX_SILENCE_MS)
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const { events, rest } = parseEvents(buffered + value)
    buffered = rest
    for (const event of events) onEvent(event)
  }
}

/** The names of the complete events in a chunk, and the incomplete rest. */
export function parseEvents(text: string): { events: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => /^event: ?(.*)$/m.exec(block)?.[1] ?? [])
  return { events, rest }
}
