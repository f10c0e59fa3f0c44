/** Passes on code some time after the last keystroke, and reads it only then: it may be large. */
export class DelayedUpdate {
  readonly #update: (code: string) => void
  readonly #delayMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #read: (() => string) | undefined

  constructor(update: (code: string) => void, delayMs: number) {
    this.#update = update
    this.#delayMs = delayMs
  }

  /** Starts the delay again. */
  schedule(read: () => string): void {
    this.#read = read
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), this.#delayMs)
  }

  /** Passes on at once what is waiting. */
  flush(): void {
    clearTimeout(this.#timer)
    const read = this.#read
    if (!read) return
    this.#read = undefined
    this.#update(read())
  }
}
