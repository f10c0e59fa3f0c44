import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundedPool } from './pool.ts'

/** Less than the second in which a health check should be answered. */
const TIMEOUT_MS = 500

/** Concurrent calls share one query. A busy database counts as ready: other queries are answered while ours waits. */
export function createReadinessCheck(pool: BoundedPool, timeoutMs = TIMEOUT_MS): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  const query = async () => {
    try {
      await pool.query('select 1')
      return true
    } catch {
      return false
    } finally {
      running = undefined
    }
  }
  return async () => {
    if (pool.isSilent) return false
    const { answers } = pool
    running ??= query()
    const isReady = await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })])
    return isReady ?? pool.answers !== answers
  }
}
