import { Readable } from 'node:stream'

/** At most one piece of news in that time; what comes in between is told at its end. */
const MIN_INTERVAL_MS = 1000
/** A client that has not taken this much is gone or too slow; it asks again when it can. */
const MAX_BUFFERED_BYTES = 16_384
/** How long a browser may take to receive the end. */
const END_MS = 2000

const GREETING = 'retry: 5000\n\n'
const CHANGED = 'event: changed\ndata: {}\n\n'
const HEARTBEAT = ':\n\n'

export interface StreamOwner {
  memberId: number
  /** Whether the session that opened the stream still is. */
  isAlive: () => Promise<boolean>
}

/** One open answer to one browser: says that there is something new, not what; the browser asks for that as always. */
export class InboxStream {
  readonly owner: StreamOwner
  readonly body: Readable
  readonly openedAt = Date.now()
  checkedAt = Date.now()
  #toldAt = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined

  constructor(holder: StreamOwner, onClosed: () => void) {
    this.owner = holder
    this.body = new Readable({ read: () => {} })
    this.body.on('close', () => {
      clearTimeout(this.#timer)
      onClosed()
    })
    this.#write(GREETING)
  }

  /** Says that the inbox changed, at once or at the end of the quiet time after the last word. */
  notify(): void {
    if (this.#timer) return
    const wait = this.#toldAt + MIN_INTERVAL_MS - Date.now()
    if (wait <= 0) this.#news()
    else this.#timer = setTimeout(() => this.#news(), wait).unref()
  }

  sendHeartbeat(): void {
    this.#write(HEARTBEAT)
  }

  /** Ends the answer properly, or tears it off where nobody takes the end. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.body.push(null)
    setTimeout(() => this.body.destroy(), END_MS).unref()
  }

  #news(): void {
    this.#timer = undefined
    this.#toldAt = Date.now()
    this.#write(CHANGED)
  }

  #write(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    if (this.body.readableLength > MAX_BUFFERED_BYTES) this.body.destroy()
    else this.body.push(text)
  }
}
