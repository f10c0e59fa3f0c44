import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { stopLeftover } from './leftover.ts'
import { hasEnded, startPostmaster, stopPostmaster } from './postmaster.ts'

const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5000

/** Keeps PostgreSQL up: one that ends by itself (killed, out of memory) is started again. Returns how to stop it. */
export function supervise(first: ChildProcess, cluster: Cluster, log: (line: string) => void): () => Promise<void> {
  let child = first
  const stopping = new AbortController()
  const watching = watch()

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await endOf(child)
      if (!stopping.signal.aborted) await restart()
    }
  }

  async function restart(): Promise<void> {
    for (let pause = FIRST_DELAY_MS; !stopping.signal.aborted; pause = Math.min(pause * 2, MAX_DELAY_MS)) {
      // Before the first attempt too: what dies as soon as it is up must not be started without a rest.
      await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        await stopLeftover(cluster.folder)
        child = await startPostmaster(cluster, log)
        return
      } catch (error) {
        log(`PostgreSQL does not come back yet: ${String(error)}`)
      }
    }
  }

  return async () => {
    stopping.abort()
    await stopPostmaster(child, cluster)
    await watching
    // A restart that was under way when the stop came.
    await stopPostmaster(child, cluster)
  }
}

function endOf(child: ChildProcess): Promise<unknown> {
  return hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve))
}
