import path from 'node:path'
import { load } from './load.ts'
import { loadMix, makeMix } from './mix.ts'
import { recordAnswer } from './record.ts'
import { type RunningApi, startApi, startReference } from './processes.ts'

export interface ListsOptions {
  dataDir: string
  folder: string
  scripts: number
  seconds: number
}

const round = (number: number) => Number(number.toFixed(2))

/** The mix of lists against bare node:http and against SQL, with ten writes a second, and how the index came up. */
export async function measureLists({ dataDir, folder, scripts, seconds }: ListsOptions) {
  const addresses = makeMix(scripts, 5)
  const cold = await startApi(dataDir, { LIST_CACHE: 'off' })
  // The cards of all that is asked come into memory.
  await loadMix(cold.origin, addresses, seconds)
  const mix = await loadMix(cold.origin, addresses, seconds)
  const references = await measureReferences(cold, folder, seconds)
  const { seen, memory } = await cold.measureSeen()
  await cold.stop()
  const warm = await startApi(dataDir, {})
  const cached = await loadMix(warm.origin, addresses, seconds)
  await warm.stop()
  const plain = await startApi(dataDir, { LIST_CACHE: 'off', CATALOGUE_INDEX: 'database' })
  const sql = await loadMix(plain.origin, addresses, seconds)
  await plain.stop()
  return {
    'list mix, requests/s': Math.round(mix.perSecond),
    'list mix, p99 ms': mix.p99,
    'list mix ÷ node:http with JSON.stringify': round(mix.perSecond / references.stringify),
    'list mix ÷ node:http with a ready Buffer': round(mix.perSecond / references.ready),
    'list mix with kept lists ÷ node:http with a ready Buffer': round(cached.perSecond / references.ready),
    'list mix ÷ SQL': round(mix.perSecond / sql.perSecond),
    'SQL, requests/s': round(sql.perSecond),
    'ready without a snapshot, ms': cold.report.ready,
    'longest stall while the index is made, ms': cold.report.stall,
    'ready with a snapshot, ms': warm.report.ready,
    'longest stall while the snapshot is read, ms': warm.report.stall,
    'a write of another process seen after at most, ms': seen,
    'memory under load, MB': Math.round(memory.rss / 1e6),
  }
}

async function measureReferences({ origin }: RunningApi, folder: string, seconds: number) {
  const file = path.join(folder, 'list')
  const headers = await recordAnswer(`${origin}/api/scripts`, file)
  const perSecond: Record<'ready' | 'stringify', number> = { ready: 0, stringify: 0 }
  for (const how of ['ready', 'stringify'] as const) {
    const reference = await startReference(file, headers, how)
    perSecond[how] = (await load(reference.origin, seconds)).perSecond
    await reference.stop()
  }
  return perSecond
}
