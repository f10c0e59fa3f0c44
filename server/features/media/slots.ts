/** Lets so many tasks run at once; the others wait in the order in which they came. */
export function openSlots(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = limit
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    // The slot passes on as it is: nobody slips in between.
    if (next) next()
    else free++
  }
  return async (task) => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
