/** Lets so many tasks run at once and so many wait, in the order in which they came; the rest gets `refuse`'s error. */
export interface Slots {
  run: <T>(task: () => Promise<T>) => Promise<T>
  /** Throws when a task that came now would be refused. */
  requireRoom: () => void
}

export interface SlotLimits {
  running: number
  waiting: number
  refuse: () => Error
}

export function openSlots({ running, waiting: mostWaiting, refuse }: SlotLimits): Slots {
  let free = running
  const waiting: (() => void)[] = []
  const requireRoom = () => {
    if (free === 0 && waiting.length >= mostWaiting) throw refuse()
  }
  const enter = async () => {
    requireRoom()
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    // The slot passes on as it is: nobody slips in between.
    if (next) next()
    else free++
  }
  return {
    requireRoom,
    async run(task) {
      await enter()
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
