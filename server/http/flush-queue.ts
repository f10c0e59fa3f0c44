const MAX_SIZE = 32

/**
 * Does in one go what came up in one turn of the event loop, at the turn's end or as soon as there are many. Answers that
 * are written right after each other wake up who waits for them once, which is most of what writing one costs (Netty
 * does the same in its FlushConsolidationHandler).
 */
export class FlushQueue<T> {
  readonly #act: (item: T) => void
  #waiting: T[] = []

  constructor(act: (item: T) => void) {
    this.#act = act
  }

  add(item: T): void {
    const count = this.#waiting.push(item)
    if (count === 1) setImmediate(this.#empty)
    else if (count === MAX_SIZE) this.#empty()
  }

  readonly #empty = (): void => {
    const items = this.#waiting
    this.#waiting = []
    for (const item of items) this.#act(item)
  }
}
