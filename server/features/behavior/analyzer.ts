import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Card } from '@scriptyard/luau-behavior'

/** Analyzes code outside of the event loop that serves requests. */
export interface Analyzer {
  /** Rejects if the code could not be analyzed. */
  analyze(code: string): Promise<Card>
  close(): Promise<void>
}

const TIMEOUT_MS = 20_000
const MEMORY_MB = 256

/** Analyzes one code after the other, each in a thread of its own with limits on time and memory. */
export class ThreadAnalyzer implements Analyzer {
  #last: Promise<unknown> = Promise.resolve()

  analyze(code: string): Promise<Card> {
    const result = this.#last.catch(() => {}).then(() => analyzeInThread(code))
    this.#last = result
    return result
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {})
  }
}

async function analyzeInThread(code: string): Promise<Card> {
  const worker = new Worker(new URL('analyzer-thread.ts', import.meta.url), {
    workerData: code,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  try {
    const [card] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [Card]
    return card
  } finally {
    await worker.terminate()
  }
}
