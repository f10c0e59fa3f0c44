import type { AppError } from './errors.ts'

/** The id of the member or person that work is done for; null for the site itself, which has no limit of its own. */
export type Owner = number | null

export interface FairQueueOptions {
  /** Tasks that run at a time, at most one of them large. */
  concurrency: number
  maxWaiting: number
  /** Tasks of one owner that wait or run. */
  maxPerOwner: number
  errors: { busy: () => AppError; tooMany: () => AppError }
}

interface Task {
  owner: Owner
  isLarge: boolean
  start: () => void
}

/**
 * Runs one task per owner at a time, and one large task at a time, so that small ones wait only for small ones. An owner whose
 * task has ended goes to the back, so that nobody waits for more than one task of another owner.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  #waiting: Task[] = []
  readonly #running = new Set<Task>()

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Throws AppError `busy` if the queue is full, or the error of an owner whose part of it is. */
  requireCapacity(owner: Owner): void {
    const { concurrency, maxWaiting, maxPerOwner, errors } = this.#options
    const tasks = [...this.#running, ...this.#waiting]
    if (owner !== null && tasks.filter((task) => task.owner === owner).length >= maxPerOwner) throw errors.tooMany()
    if (tasks.length >= concurrency + maxWaiting) throw errors.busy()
  }

  /** Runs `work` when it is its turn. Throws what `requireCapacity` and `work` throw. */
  async run<T>({ owner, isLarge = false }: { owner: Owner; isLarge?: boolean }, work: () => Promise<T>): Promise<T> {
    this.requireCapacity(owner)
    const turn = Promise.withResolvers<void>()
    const task = { owner, isLarge, start: turn.resolve }
    this.#waiting.push(task)
    this.#startNext()
    await turn.promise
    try {
      return await work()
    } finally {
      this.#running.delete(task)
      const isOther = (other: Task) => owner === null || other.owner !== owner
      this.#waiting = [...this.#waiting.filter(isOther), ...this.#waiting.filter((other) => !isOther(other))]
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#options.concurrency) {
      const next = this.#waiting.find((task) => this.#mayStart(task))
      if (!next) return
      this.#waiting = this.#waiting.filter((task) => task !== next)
      this.#running.add(next)
      next.start()
    }
  }

  #mayStart({ owner, isLarge }: Task): boolean {
    const running = [...this.#running]
    if (isLarge && running.some((task) => task.isLarge)) return false
    return owner === null || running.every((task) => task.owner !== owner)
  }
}
