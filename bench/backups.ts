// npm run bench backups [-- --scripts 100000] [--rounds 3] [--data DIR]
// Latency of lists while a scheduled backup is written and verified beside the site, in alternating rounds.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { openPool } from '#server/db/pool.ts'
import { ScheduledBackup } from '#server/features/backup/scheduled.ts'
import { makeTemporaryFolder, openCatalogue } from './data.ts'
import { load, median } from './load.ts'
import { makeMix, pickSequence } from './mix.ts'
import { startInstrumentedSite } from './processes.ts'
import { printReport } from './report.ts'

const SECONDS = 4
/** Few enough that the site does not use all processors by itself. */
const CONNECTIONS = 2
const URLS = 2000
/** Measurements without a backup, before and after each one. */
const QUIET_WINDOWS = 3

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
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
const measure = async () => {
  const options = { origin: site.origin, paths, folder, seconds: SECONDS, connections: CONNECTIONS, warmUpSeconds: 0 }
  return (await load(options)).p99
}

/** Writes and verifies a backup. Returns its time in seconds. */
async function backUp(): Promise<number> {
  await pool.query('delete from backups')
  const target = path.join(folder, 'backups')
  await mkdir(target, { recursive: true })
  const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, BACKUP_TARGET: target })
  const log = { info: () => {}, error: (fields: object) => console.error(fields) }
  const started = performance.now()
  await new ScheduledBackup({ db: openDatabase(pool), pool, log, config, findBackup: () => config.backup }).run()
  const { rows } = await pool.query<{ error: string | null }>('select error from backups')
  if (rows.length !== 1 || rows[0]?.error != null) throw new Error(rows[0]?.error ?? 'No backup was written.')
  await rm(target, { recursive: true })
  return (performance.now() - started) / 1000
}

async function measureUntil(ended: Promise<unknown>): Promise<number[]> {
  const running = new AbortController()
  void ended.finally(() => running.abort()).catch(() => {})
  const windows: number[] = []
  while (!running.signal.aborted) windows.push(await measure())
  return windows
}

const measureQuiet = async () => {
  const windows: number[] = []
  for (let i = 0; i < QUIET_WINDOWS; i++) windows.push(await measure())
  return windows
}

const rounds: { ratio: number; without: number; during: number; worst: number; windows: number; seconds: number }[] = []
try {
  await measure()
  for (let round = 0; round < Number(values.rounds); round++) {
    const before = await measureQuiet()
    const writing = backUp()
    const windows = await measureUntil(writing)
    const seconds = await writing
    const without = median([...before, ...(await measureQuiet())])
    const during = median(windows)
    rounds.push({
      ratio: during / without,
      without,
      during,
      worst: Math.max(...windows),
      windows: windows.length,
      seconds,
    })
  }
} finally {
  await site.stop()
  await pool.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
console.table(rounds)
const size = scripts.toLocaleString('en')
const of = (pick: (round: (typeof rounds)[number]) => number) => Number(median(rounds.map(pick)).toFixed(2))
printReport([
  { name: `${size}: list p99 during a backup ÷ without`, measured: of(({ ratio }) => ratio), max: 1.5 },
  { name: `${size}: worst ${SECONDS} s during a backup ÷ without`, measured: of((one) => one.worst / one.without) },
  { name: `${size}: backup with verification under load, s`, measured: of(({ seconds }) => seconds) },
])
