import { rm } from 'node:fs/promises'
import path from 'node:path'
import { load, type Measured } from './load.ts'
import { loadMix, makeMix } from './mix.ts'
import { type Metered, type RunningApi, startApi, startReference } from './processes.ts'
import { recordAnswer } from './record.ts'

export interface ListsOptions {
  dataDir: string
  folder: string
  scripts: number
  seconds: number
}

interface Figures extends Measured {
  /** Microseconds of the processor for one answer: what others do on the machine changes it little. */
  cpu: number
}

/** More only wait for a connection to PostgreSQL, until they wait too long. */
const SQL_CONNECTIONS = 8
const AT_ONCE = 16

const round = (number: number) => Number(number.toFixed(2))

/** The mix of lists against bare node:http and against SQL, with ten writes a second, and how the index came up. */
export async function measureLists({ dataDir, folder, scripts, seconds }: ListsOptions) {
  const addresses = makeMix(scripts, 5)
  const mixed = (site: Metered, connections?: number) =>
    meter(site, () => loadMix(site.origin, addresses, seconds, connections))
  await rm(path.join(dataDir, 'catalogue-index'), { force: true })
  const cold = await startApi(dataDir, { LIST_CACHE: 'off' })
  await warm(cold, addresses)
  const mix = await mixed(cold)
  const { ready, stringify } = await measureReferences(cold, folder, seconds)
  const { seen, memory } = await cold.measureSeen()
  await cold.stop()
  const restarted = await startApi(dataDir, {})
  await warm(restarted, addresses)
  const kept = await mixed(restarted)
  const hot = await meter(restarted, () => load(`${restarted.origin}/api/scripts?sort=title`, seconds))
  await restarted.stop()
  const plain = await startApi(dataDir, { LIST_CACHE: 'off', CATALOGUE_INDEX: 'database' })
  const sql = await mixed(plain, SQL_CONNECTIONS)
  await plain.stop()
  const compare = (ours: Figures, theirs: Figures) => ({
    'requests/s': round(ours.perSecond / theirs.perSecond),
    'work per request': round(theirs.cpu / ours.cpu),
  })
  return {
    ratios: {
      'list mix ÷ node:http with JSON.stringify': compare(mix, stringify),
      'list mix ÷ node:http with a ready Buffer': compare(mix, ready),
      'list mix with kept lists ÷ node:http with a ready Buffer': compare(kept, ready),
      'one kept list ÷ node:http with a ready Buffer': compare(hot, ready),
      'list mix ÷ SQL': { 'requests/s': round(mix.perSecond / sql.perSecond) },
    },
    speeds: { 'list mix': mix, 'with kept lists': kept, 'one kept list': hot, 'ready Buffer': ready, stringify, sql },
    index: {
      'ready without a snapshot, ms': cold.report.ready,
      'longest stall while the index is made, ms': cold.report.stall,
      'ready with a snapshot, ms': restarted.report.ready,
      'longest stall while the snapshot is read, ms': restarted.report.stall,
      'a write of another process seen after at most, ms': seen,
      'memory under load, MB': Math.round(memory.rss / 1e6),
    },
  }
}

async function meter(site: Metered, run: () => Promise<Measured>): Promise<Figures> {
  const before = await site.measureCpu()
  const measured = await run()
  const spent = (await site.measureCpu()) - before
  return { ...measured, perSecond: Math.round(measured.perSecond), cpu: round((spent / measured.requests) * 1e6) }
}

/** Each list once: the cards of all that will be asked come into memory. */
async function warm({ origin }: RunningApi, addresses: readonly string[]): Promise<void> {
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE)
    await Promise.all(some.map(async (address) => (await fetch(origin + address)).arrayBuffer()))
  }
}

async function measureReferences({ origin }: RunningApi, folder: string, seconds: number) {
  const file = path.join(folder, 'list')
  const headers = await recordAnswer(`${origin}/api/scripts`, file)
  const measure = async (how: 'ready' | 'stringify') => {
    const reference = await startReference(file, headers, how)
    const figures = await meter(reference, () => load(reference.origin, seconds))
    await reference.stop()
    return figures
  }
  return { ready: await measure('ready'), stringify: await measure('stringify') }
}
