import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import type { ListsOptions } from './lists.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startSite } from './processes.ts'
import { startWriting } from './writes.ts'
import { load } from './wrk.ts'

export interface Compared {
  one: number
  two: number
}

const WARM_UP_SECONDS = 8
const SETTLE_MS = 4000
const CASES = [
  ['one', '1'],
  ['two', '2'],
] as const
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/**
 * The same mix of lists on one process and on two, in turn, each list made anew: answers a second. Who asks needs a third of
 * what answering does, so on a machine of two processors there is room for 1.5 to 1.7 times as much, not twice.
 */
export async function compareProcesses(options: ListsOptions): Promise<Compared> {
  const measured = { one: [] as number[], two: [] as number[] }
  const pool = openPool(options.data.url)
  const stopWriting = await startWriting(openDatabase(pool))
  try {
    for (let round = 0; round < options.rounds; round++) {
      for (const [name, workers] of CASES) measured[name].push(await measure(options, workers))
    }
  } finally {
    await stopWriting()
    await pool.end()
  }
  return { one: median(measured.one), two: median(measured.two) }
}

async function measure(options: ListsOptions, workers: string): Promise<number> {
  const { data, dataDir, folder, scripts, seconds } = options
  const addresses = pickSequence(makeMix(scripts, 5), 9)
  const env = { DATABASE_URL: data.url, DATA_DIR: dataDir, WORKERS: workers, LIST_CACHE_MB: '0' }
  const site = await startSite(env)
  // Until the indexes are read: what is asked before is SQL's to answer, and takes it long.
  await setTimeout(SETTLE_MS)
  const how = { origin: site.origin, addresses, folder }
  // Each process reads its index, its cards and compiles what is hot by itself.
  await load({ ...how, seconds: WARM_UP_SECONDS })
  const { perSecond } = await load({ ...how, seconds })
  await site.stop()
  return Math.round(perSecond)
}
