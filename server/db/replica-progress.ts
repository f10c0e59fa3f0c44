/** A place in the database's log that a replica has to have reached. */
export interface Goal {
  position: bigint
  /** What the process knew, and when, before it asked for the position. */
  known: number
  askedAt: number
}

/** What is read on a replica may be this old, and no older. */
export const MOST_BEHIND_MS = 1000

/** How far a replica is known to have come. */
export class ReplicaProgress {
  #reached: Goal | undefined
  #goals: Goal[] = []

  /** Whether it holds everything up to `known`, and all that was written until a second ago. */
  has(known: number): boolean {
    return this.#reached?.known === known && performance.now() - this.#reached.askedAt < MOST_BEHIND_MS
  }

  /** Whether there is something that it has yet to reach. */
  get hasGoals(): boolean {
    return this.#goals.length > 0
  }

  aimAt(goal: Goal): void {
    this.#goals.push(goal)
  }

  /** It has replayed the log up to here. Gives whether that is near enough, where it can be told. */
  arrive(position: bigint): boolean | undefined {
    const oldest = performance.now() - MOST_BEHIND_MS
    const missed = this.#goals.findIndex((goal) => goal.position > position)
    const reached = this.#goals.splice(0, missed < 0 ? this.#goals.length : missed).at(-1)
    if (reached) this.#reached = reached
    if (this.#goals.some(({ askedAt }) => askedAt <= oldest)) {
      this.forget()
      return false
    }
    return reached && reached.askedAt > oldest ? true : undefined
  }

  /** Nothing is known of it any more. */
  forget(): void {
    this.#reached = undefined
    this.#goals = []
  }
}
