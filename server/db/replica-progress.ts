/** A place in the database's log that a replica has to have reached. */
export interface ReplayTarget {
  position: bigint
  /** What the process knew, and when, before it asked for the position. */
  known: number
  askedAt: number
}

/** What is read on a replica may be this old, and no older. */
export const MAX_LAG_MS = 1000

/** How far a replica is known to have come. */
export class ReplicaProgress {
  #reached: ReplayTarget | undefined
  #targets: ReplayTarget[] = []

  /** Whether it holds everything up to `known`, and all that was written until a second ago. */
  has(known: number): boolean {
    return this.#reached?.known === known && performance.now() - this.#reached.askedAt < MAX_LAG_MS
  }

  /** Whether there is something that it has yet to reach. */
  get hasTargets(): boolean {
    return this.#targets.length > 0
  }

  waitFor(goal: ReplayTarget): void {
    this.#targets.push(goal)
  }

  /** It has replayed the log up to here. Gives whether that is near enough, where it can be told. */
  recordPosition(position: bigint): boolean | undefined {
    const oldest = performance.now() - MAX_LAG_MS
    const missed = this.#targets.findIndex((goal) => goal.position > position)
    const reached = this.#targets.splice(0, missed < 0 ? this.#targets.length : missed).at(-1)
    if (reached) this.#reached = reached
    if (this.#targets.some(({ askedAt }) => askedAt <= oldest)) {
      this.reset()
      return false
    }
    return reached && reached.askedAt > oldest ? true : undefined
  }

  /** Nothing is known of it any more. */
  reset(): void {
    this.#reached = undefined
    this.#targets = []
  }
}
