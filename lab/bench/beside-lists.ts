// A site with a synthetic catalogue and the latency of its lists, for measuring what runs beside it.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { openPool } from '#server/platform/db/pool.ts'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { load, median } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startInstrumentedSite } from './processes.ts'

export const LOAD_SECONDS = 4
/** Few enough that the site does not use all processors by itself. */
const CONNECTIONS = 2
const URLS = 2000

export interface MeasuredLists {
  rounds: number
  size: string
  /** Temporary, removed by `close`. */
  folder: string
  dataDir: string
  databaseUrl: string
  pool: pg.Pool
  origin: string
  /** The p99 of lists within some seconds, ms. */
  measure(options?: { warmUpSeconds?: number }): Promise<number>
  close(): Promise<void>
}

/** Reads `--scripts`, `--rounds` and `--data` from the command line and starts the site. */
export async function openMeasuredLists(defaults: { rounds: number }): Promise<MeasuredLists> {
  const { values } = parseArgs({
    options: {
      scripts: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: String(defaults.rounds) },
      data: { type: 'string' },
    },
  })
  const scripts = Number(values.scripts)
  const folder = await makeTemporaryFolder()
  const dataDir = path.join(values.data ? path.resolve(values.data) : folder, String(scripts))
  const database = await openCatalogue(dataDir, scripts)
  const pool = openPool(database.url, 2)
  const site = await startInstrumentedSite({ DATABASE_URL: database.url, DATA_DIR: dataDir })
  const paths = pickSequence(makeMix(scripts, 5), 9).slice(0, URLS)
  return {
    rounds: Number(values.rounds),
    size: scripts.toLocaleString('en'),
    folder,
    dataDir,
    databaseUrl: database.url,
    pool,
    origin: site.origin,
    async measure(options = {}) {
      const fixed = { origin: site.origin, paths, folder, seconds: LOAD_SECONDS, connections: CONNECTIONS }
      return (await load({ ...fixed, ...options })).p99
    },
    async close() {
      await site.stop()
      await pool.end()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const medianOf = <T>(rounds: readonly T[], pick: (round: T) => number): number =>
  Number(median(rounds.map(pick)).toFixed(2))
