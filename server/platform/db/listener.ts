import pg from 'pg'
import { optionsLike } from './pool.ts'
import { closeClient } from './silence.ts'

const RETRY_MS = 250
const MAX_RETRY_MS = 2000
/** Detects a lost connection, which looks like one without notifications. */
const HEARTBEAT_MS = 1500
/** For connecting and for each answer; shorter than the interval. */
const TIMEOUT_MS = 1400

export interface NotificationHandler {
  /** What it throws goes to `onError`: other notifications and the connection are not affected. */
  onNotification(message: string): void
  onError(error: unknown): void
  /** Called after the connection was lost: notifications may have been missed. */
  onReconnect(): void
}

/** Receives the notifications of one channel (LISTEN/NOTIFY) on a connection that reconnects automatically. */
export class DatabaseListener {
  readonly #pool: pg.Pool
  readonly #channel: string
  readonly #handler: NotificationHandler
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #connecting: Promise<void> | undefined
  #isClosed = false

  /** Connects with the options of `pool`, but outside of it, because the connection stays open. */
  constructor(pool: pg.Pool, channel: string, handler: NotificationHandler) {
    this.#pool = pool
    this.#channel = channel
    this.#handler = handler
  }

  /** Connects on the first call. Rejects if the database is unavailable, and keeps trying. */
  start(): Promise<void> {
    this.#connecting ??= this.#connect(RETRY_MS)
    return this.#connecting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#connecting?.catch(() => {})
    if (this.#client) closeClient(this.#client)
  }

  async #connect(retryMs: number): Promise<void> {
    const timeouts = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
    const client = new pg.Client({ ...optionsLike(this.#pool), ...timeouts })
    let heartbeat: NodeJS.Timeout | undefined
    let isLost = false
    const lost = () => {
      if (isLost) return
      isLost = true
      const wasListening = this.#client === client
      if (wasListening) this.#client = undefined
      clearInterval(heartbeat)
      closeClient(client)
      this.#reconnectLater(wasListening ? RETRY_MS : retryMs)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    try {
      await client.connect()
      const listen = `listen ${client.escapeIdentifier(this.#channel)}`
      await client.query(listen)
      this.#client = client
      heartbeat = setInterval(() => void client.query(listen).catch(lost), HEARTBEAT_MS).unref()
    } catch (error) {
      lost()
      throw error
    }
  }

  #receive(message: string): void {
    try {
      this.#handler.onNotification(message)
    } catch (error) {
      this.#handler.onError(error)
    }
  }

  #reconnectLater(afterMs: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#connecting = this.#connect(Math.min(afterMs * 2, MAX_RETRY_MS)).then(() => this.#handler.onReconnect())
      this.#connecting.catch(() => {})
    }, afterMs)
    this.#timer.unref()
  }
}
