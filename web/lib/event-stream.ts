import { readToken } from './token.ts'

/** The server says something every 25 seconds; after this long without a word the connection is dead. */
const MAX_SILENCE_MS = 70_000

/** The server's answer to who may not, or cannot now, listen. */
export class StreamError extends Error {
  readonly status: number
  /** When to try again, if the server said so. */
  readonly retryAfterSeconds: number

  constructor({ status, headers }: Response) {
    super(`The stream was refused with HTTP ${status}.`)
    this.status = status
    this.retryAfterSeconds = Number(headers.get('retry-after') ?? 0)
  }
}

/** The names of the whole events in a piece of a stream, and what is left for the next piece. */
export function parseEvents(text: string): { events: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => /^event: ?(.*)$/m.exec(block)?.[1] ?? [])
  return { events, rest }
}

interface StreamHandlers {
  signal: AbortSignal
  onOpen: () => void
  onEvent: (name: string) => void
}

/**
 * Listens to server-sent events as the signed-in member until the server ends or `signal` aborts. EventSource would be
 * the platform's way, but sends no token. Rejects with StreamRefused, or as fetch does.
 */
export async function readEventStream(path: string, { signal, onOpen, onEvent }: StreamHandlers): Promise<void> {
  const token = readToken()
  const response = await fetch(path, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    cache: 'no-store',
    signal,
  })
  if (!response.ok || !response.body) throw new StreamError(response)
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let left = ''
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), MAX_SILENCE_MS)
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const { events, rest } = parseEvents(left + value)
    left = rest
    for (const event of events) onEvent(event)
  }
}
