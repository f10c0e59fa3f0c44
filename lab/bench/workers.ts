import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import type { ListsOptions } from './lists.ts'
import { load, median } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startSite } from './processes.ts'
import { startWrites } from './writes.ts'

/** Responses per second, by number of workers and CPUs. */
export type WorkerComparison = Record<'oneOnOne' | 'twoOnTwo' | 'oneOnAll' | 'twoOnAll', number>

const WARM_UP_SECONDS = 8
const SETTLE_MS = 4000

/**
 * Compares one worker with two on the same mix of lists, without the list cache, in turn. The load generator needs about a
 * quarter of a worker's CPU time, so it shares the workers' CPUs: one CPU for one worker and its load, two for two workers
 * and theirs. For information both also run on all CPUs; with two of them, one worker leaves a CPU to the load generator
 * and two leave none. Undefined if there is only one CPU or the system cannot pin processes.
 */
export async function compareWorkers(options: ListsOptions): Promise<WorkerComparison | undefined> {
  const all = readAllowedCpus()
  if (all.length < 2) return undefined
  const measured: Record<keyof WorkerComparison, number[]> = { oneOnOne: [], twoOnTwo: [], oneOnAll: [], twoOnAll: [] }
  const pool = openPool(options.database.url)
  const stopWrites = await startWrites(openDatabase(pool))
  try {
    for (let round = 0; round < options.starts; round++) {
      measured.oneOnOne.push(await measure(options, 1, all.slice(0, 1)))
      measured.twoOnTwo.push(await measure(options, 2, all.slice(0, 2)))
      measured.oneOnAll.push(await measure(options, 1, all))
      if (all.length > 2) measured.twoOnAll.push(await measure(options, 2, all))
      else measured.twoOnAll = measured.twoOnTwo
    }
  } finally {
    pinToCpus(all)
    await stopWrites()
    await pool.end()
  }
  const medians = Object.entries(measured).map(([name, numbers]) => [name, median(numbers)])
  return Object.fromEntries(medians) as WorkerComparison
}

async function measure(options: ListsOptions, workers: number, cpus: readonly number[]): Promise<number> {
  const { database, dataDir, folder, scripts, comparedSeconds } = options
  pinToCpus(cpus)
  const paths = pickSequence(makeMix(scripts, 5), 9)
  const site = await startSite({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    LIST_CACHE_MB: '0',
  })
  // Until the indexes are loaded, SQL answers, slowly.
  await setTimeout(SETTLE_MS)
  // Each worker loads its own index and cards and compiles its own hot code.
  const { perSecond } = await load({
    origin: site.origin,
    paths,
    folder,
    seconds: comparedSeconds,
    warmUpSeconds: WARM_UP_SECONDS,
  })
  await site.stop()
  return Math.round(perSecond)
}

/** The CPUs that this process may run on; empty if the system does not tell, as on anything but Linux. */
function readAllowedCpus(): number[] {
  let status: string
  try {
    status = readFileSync('/proc/self/status', 'utf8')
  } catch {
    return []
  }
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
}

function pinToCpus(cpus: readonly number[]): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cpus.join(','), String(process.pid)])
}
