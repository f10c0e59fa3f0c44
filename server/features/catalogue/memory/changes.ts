interface Batch {
  ids: number[]
  /** Tells those who wait for it that it has been taken in, or could not be. */
  done: () => void
}

const MOST = 500

/** Scripts that changed and are still to be read. A process's own go first, because its callers wait for them. */
export class Changes {
  readonly #others = new Set<number>()
  #own = new Set<number>()
  #next: PromiseWithResolvers<void> | undefined
  #running: Promise<void> | undefined

  get isEmpty(): boolean {
    return this.#own.size === 0 && this.#others.size === 0
  }

  add(ids: Iterable<number>): void {
    for (const id of ids) this.#others.add(id)
  }

  addOwn(ids: Iterable<number>): void {
    for (const id of ids) this.#own.add(id)
    if (this.#own.size > 0) this.#next ??= Promise.withResolvers<void>()
  }

  /** Resolves when the own changes noted so far have been taken in; undefined when that is so already. */
  get settled(): Promise<void> | undefined {
    return this.#next?.promise ?? this.#running
  }

  /** Lets nobody wait any longer; what is still to be read stays so. */
  release(): void {
    for (const id of this.#own) this.#others.add(id)
    this.#own = new Set()
    this.#next?.resolve()
    this.#next = undefined
  }

  take(): Batch {
    const { promise, resolve } = this.#next ?? Promise.withResolvers<void>()
    if (this.#next) {
      const ids = [...this.#own]
      this.#own = new Set()
      this.#next = undefined
      this.#running = promise
      return {
        ids,
        done: () => {
          this.#running = undefined
          resolve()
        },
      }
    }
    const ids = [...this.#others.values().take(MOST)]
    for (const id of ids) this.#others.delete(id)
    return { ids, done: () => {} }
  }
}
