import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/**
 * Marks garbage with fewer threads than there are processors. Node starts four for it, which on two processors keep
 * requests waiting for their turn, 20 milliseconds and more.
 */
export function limitGarbageThreads(processors = availableParallelism()): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, processors - 1)}`)
}
