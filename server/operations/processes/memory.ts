import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By default Node marks garbage with four threads, which delays requests by 20 ms and more on two processors. */
export function limitGarbageThreads(processors = availableParallelism()): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, processors - 1)}`)
}

const CHECK_INTERVAL_MS = 20_000
/** Share of the time in which the event loop has work. */
const MAX_UTILIZATION = 0.05
const MIN_GROWTH_BYTES = 16_000_000
/** The collection of such a heap stops the process for about 0.2 s, of a larger one for longer. */
const MAX_HEAP_BYTES = 150_000_000

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8's `gc` function, which contexts created with this flag have. */
function findCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as CollectGarbage
  setFlagsFromString('--no-expose-gc')
  return collect
}

/** V8 collects only when it needs memory, so the memory of a peak would stay allocated: 40 MB of 200. */
export function releaseMemoryWhenIdle(intervalMs = CHECK_INTERVAL_MS): void {
  let size = 0
  let lastCheck = performance.eventLoopUtilization()
  const check = () => {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, lastCheck)
    lastCheck = current
    const heap = getHeapStatistics().total_heap_size
    if (utilization > MAX_UTILIZATION || heap > MAX_HEAP_BYTES || heap < size + MIN_GROWTH_BYTES) return
    findCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    size = getHeapStatistics().total_heap_size
  }
  setInterval(check, intervalMs).unref()
}
