import type { Draft as StoredDraft, DraftContent } from '#contract/drafts.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'

/** What this browser knows about the copy on the server. */
export interface ServerCopy {
  /** The state that the draft was made from; null if the server had none. */
  updatedAt: string | null
  /** Whether nothing was changed here since. */
  isSame: boolean
}

export const NO_COPY: ServerCopy = { updatedAt: null, isSame: false }

interface Local {
  /** When it was changed last, in milliseconds. */
  savedAt: number
  server: ServerCopy
}

/**
 * Which of two states of one draft the form shows, and whether it offers the other one: that of another device wins if this
 * browser has nothing newer. If both were changed, the newer wins, and the older is offered.
 */
export function chooseState(
  local: Local,
  stored: Pick<StoredDraft, 'updated_at'>,
): { shown: 'local' | 'stored'; hasOther: boolean } {
  if (stored.updated_at === local.server.updatedAt) return { shown: 'local', hasOther: false }
  if (local.server.isSame) return { shown: 'stored', hasOther: false }
  return { shown: Date.parse(stored.updated_at) > local.savedAt ? 'stored' : 'local', hasOther: true }
}

/** Delay after a change. Members may store 30 drafts a minute. */
const SAVE_DELAY_MS = 3000
const CONFLICT = 'changed_meanwhile'

interface SyncOptions {
  api: Api
  key: string
  copy: ServerCopy
  /** What is stored, read when it is sent. Undefined to store nothing. */
  read: () => DraftContent | undefined
  /** The server has what `read` returned. */
  onSaved: (copy: ServerCopy) => void
  /** Another device stored a draft with this key, which is older than the changes here and is replaced. */
  onReplace: (stored: StoredDraft) => void
}

/** Stores a draft on the server some seconds after each change, one request at a time. */
export class DraftSync {
  readonly #options: SyncOptions
  #updatedAt: string | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isChanged = false
  #running: Promise<void> = Promise.resolve()
  readonly #controller = new AbortController()

  constructor(options: SyncOptions) {
    this.#options = options
    this.#updatedAt = options.copy.updatedAt
    addEventListener('online', () => this.#isChanged && this.schedule(), { signal: this.#controller.signal })
  }

  schedule(): void {
    this.#isChanged = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), SAVE_DELAY_MS)
  }

  /** Stores the newest changes. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#running = this.#running.then(() => this.#save())
    return this.#running
  }

  /** Deletes the draft, also one that is being stored. Never rejects. */
  async remove(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isChanged = false
    await this.#running
    if (this.#updatedAt === null) return
    this.#updatedAt = null
    await this.#options.api('DELETE /api/draft', { query: { key: this.#options.key } }).catch(() => undefined)
  }

  /** Takes over the state of another device. */
  adopt(updatedAt: string): void {
    clearTimeout(this.#timer)
    this.#isChanged = false
    this.#updatedAt = updatedAt
  }

  /** Stores the newest changes a last time, unless another device has stored some. Nothing is reported any more. */
  close(): void {
    this.#controller.abort()
    void this.flush()
  }

  get #isClosed(): boolean {
    return this.#controller.signal.aborted
  }

  async #save(): Promise<void> {
    const content = this.#isChanged ? this.#options.read() : undefined
    if (!content) return
    this.#isChanged = false
    try {
      await this.#put(content)
      if (!this.#isClosed) this.#options.onSaved({ updatedAt: this.#updatedAt, isSame: !this.#isChanged })
    } catch {
      // Without a connection, or if the server does not take it, the draft in the browser goes on.
      this.#isChanged = true
    }
  }

  async #put(content: DraftContent): Promise<void> {
    const { api, key, onReplace } = this.#options
    const put = async () => {
      const body = { key, content, base_updated_at: this.#updatedAt }
      this.#updatedAt = (await api('PUT /api/draft', { body })).updated_at
    }
    try {
      await put()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== CONFLICT || this.#isClosed) throw error
      const stored = await api('GET /api/draft', { query: { key } })
      onReplace(stored)
      this.#updatedAt = stored.updated_at
      await put()
    }
  }
}
