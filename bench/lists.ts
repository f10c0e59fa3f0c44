import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Data } from './data.ts'
import { makeMix, pickSequence } from './mix.ts'
import { hear, type RunningApi, startApi, startReference } from './processes.ts'
import { recordAnswers } from './record.ts'
import { type Figures, inTurn } from './rounds.ts'
import { startOften } from './starts.ts'

export interface ListsOptions {
  data: Data
  dataDir: string
  folder: string
  scripts: number
  seconds: number
  rounds: number
  /** How many times the site is started each way. */
  starts: number
  /** For each of one and two processes, after their warm-up. */
  comparedSeconds: number
}

/** What a process tells that looks at the index by itself. */
export interface Inside {
  /** Megabytes of the index as it was read. */
  memory: number
  /** With what the queries of the mix made beside it. */
  memoryAfter: number
  times: Record<string, { p50: number; p99: number; worst: number }>
  lastOverFirst: number
  facetsOverCount: number
  sqlCount: number
}

/** More only wait for a connection to PostgreSQL. */
const SQL_CONNECTIONS = 8
const AT_ONCE = 16
const KEPT = '/api/scripts?sort=title'
const PAGE = '/'

export type Lists = Awaited<ReturnType<typeof measureLists>>

/** The lists of one catalogue, with ten writes a second: against node:http and SQL, and how the index came up. */
export async function measureLists({ data, dataDir, folder, scripts, seconds, rounds, starts }: ListsOptions) {
  const env = { DATABASE_URL: data.url, DATA_DIR: dataDir }
  const how = { folder, seconds, rounds }
  const mix = makeMix(scripts, 5)
  const addresses = pickSequence(mix, 9)
  const snapshot = path.join(dataDir, 'catalogue-index')
  const bare = { ...env, LIST_CACHE_MB: '0' }
  const { site: cold, starts: fresh } = await startOften(starts, bare, () => rm(snapshot, { force: true }))
  await warm(cold, mix)
  const answers = path.join(folder, 'answers')
  const meanBytes = await recordAnswers(cold.origin, mix, answers)
  const references = {
    ready: await startReference(answers, 'ready'),
    stringify: await startReference(answers, 'stringify'),
  }
  const listMix = await inTurn({ lists: cold, ...references }, { ...how, addresses })
  const { seen, memory } = await cold.measureSeen()
  for (const site of [cold, ...Object.values(references)]) await site.stop()

  const { site: again, starts: restarts } = await startOften(starts, { ...env, WEB: 'built' })
  await warm(again, mix)
  const keptMix = await inTurn({ lists: again }, { ...how, addresses })
  const kept: Record<string, { site: Figures; ready: Figures }> = {}
  for (const address of [KEPT, PAGE]) kept[address] = await measureKept(again, address, how)
  await again.stop()

  const plain = await startApi({ ...env, LIST_CACHE_MB: '0', CATALOGUE_INDEX: 'database' })
  const { sql } = await inTurn({ sql: plain }, { ...how, rounds: 1, addresses, connections: SQL_CONNECTIONS })
  await plain.stop()
  const inside = await lookInside({ DATABASE_URL: data.url, SNAPSHOT: snapshot, SCRIPTS: String(scripts) })
  return {
    meanBytes: Math.round(meanBytes),
    mix: { ...listMix, 'kept lists': keptMix.lists, sql },
    list: kept[KEPT],
    page: kept[PAGE],
    fresh,
    restarts,
    seen,
    memory: Math.round(memory.rss / 1e6),
    inside,
  }
}

async function measureKept(
  site: RunningApi,
  address: string,
  how: { folder: string; seconds: number; rounds: number },
) {
  const answers = path.join(how.folder, 'kept')
  await recordAnswers(site.origin, [address], answers)
  const ready = await startReference(answers, 'ready')
  const figures = await inTurn({ site, ready }, { ...how, addresses: [address] })
  await ready.stop()
  return figures
}

/** Each list once: the cards of all that will be asked come into memory. */
async function warm({ origin }: RunningApi, addresses: readonly string[]): Promise<void> {
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE)
    await Promise.all(some.map(async (address) => (await fetch(origin + address)).arrayBuffer()))
  }
}

async function lookInside(env: Record<string, string>): Promise<Inside> {
  const file = path.join(import.meta.dirname, 'inside.ts')
  const child = fork(file, { env: { ...process.env, ...env }, execArgv: ['--expose-gc'] })
  return hear<Inside>(child)
}
