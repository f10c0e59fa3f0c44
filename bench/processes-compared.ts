import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import type { ListsOptions } from './lists.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startSite } from './processes.ts'
import { readProcessors, stayOn } from './processors.ts'
import { median } from './rounds.ts'
import { startWriting } from './writes.ts'
import { load } from './wrk.ts'

/** Answers a second, by how many processes on how many processors. */
export type Compared = Record<'oneOnOne' | 'twoOnTwo' | 'oneOnAll' | 'twoOnAll', number>

const WARM_UP_SECONDS = 8
const SETTLE_MS = 4000

/**
 * The same mix of lists on one process and on two, in turn, each list made anew. Who asks, wrk, takes a quarter of what
 * answering does, and needs a processor for it. So each process has one, and who asks shares them: one processor carries
 * one process and all who ask it, two carry two and all who ask these. Beside it, for information, both with all
 * processors open to them: with two of them, one process leaves a processor to who asks, and two leave none. Undefined
 * where processors cannot be chosen, or there is only one.
 */
export async function compareProcesses(options: ListsOptions): Promise<Compared | undefined> {
  const all = readProcessors()
  if (all.length < 2) return undefined
  const measured: Record<keyof Compared, number[]> = { oneOnOne: [], twoOnTwo: [], oneOnAll: [], twoOnAll: [] }
  const pool = openPool(options.data.url)
  const stopWriting = await startWriting(openDatabase(pool))
  try {
    for (let round = 0; round < options.starts; round++) {
      measured.oneOnOne.push(await measure(options, 1, all.slice(0, 1)))
      measured.twoOnTwo.push(await measure(options, 2, all.slice(0, 2)))
      measured.oneOnAll.push(await measure(options, 1, all))
      if (all.length > 2) measured.twoOnAll.push(await measure(options, 2, all))
      else measured.twoOnAll = measured.twoOnTwo
    }
  } finally {
    stayOn(all)
    await stopWriting()
    await pool.end()
  }
  const medians = Object.entries(measured).map(([name, numbers]) => [name, median(numbers)])
  return Object.fromEntries(medians) as Compared
}

async function measure(options: ListsOptions, workers: number, processors: readonly number[]): Promise<number> {
  const { data, dataDir, folder, scripts, comparedSeconds } = options
  stayOn(processors)
  const addresses = pickSequence(makeMix(scripts, 5), 9)
  const site = await startSite({
    DATABASE_URL: data.url,
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    LIST_CACHE_MB: '0',
  })
  // Until the indexes are read: what is asked before is SQL's to answer, and takes it long.
  await setTimeout(SETTLE_MS)
  // Each process reads its index, its cards and compiles what is hot by itself.
  const how = { seconds: comparedSeconds, warmUpSeconds: WARM_UP_SECONDS }
  const { perSecond } = await load({ origin: site.origin, addresses, folder, ...how })
  await site.stop()
  return Math.round(perSecond)
}
