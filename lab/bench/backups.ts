// npm run bench backups [-- --scripts 100000] [--rounds 3] [--data DIR]
// Latency of lists while a scheduled backup is written and verified beside the site, in alternating rounds.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { ScheduledBackup } from '#server/operations/backup/scheduled.ts'
import { LOAD_SECONDS, medianOf, openMeasuredLists } from './beside-lists.ts'
import { median } from './load.ts'
import { printReport } from './report.ts'

/** Measurements without a backup, before and after each one. */
const QUIET_WINDOWS = 3

const site = await openMeasuredLists({ rounds: 3 })
const measure = () => site.measure({ warmUpSeconds: 0 })

/** Writes and verifies a backup. Returns its time in seconds. */
async function backUp(): Promise<number> {
  const { folder, dataDir, databaseUrl, pool } = site
  await pool.query('delete from backups')
  const target = path.join(folder, 'backups')
  await mkdir(target, { recursive: true })
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, BACKUP_TARGET: target })
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
  for (let round = 0; round < site.rounds; round++) {
    const before = await measureQuiet()
    const writing = backUp()
    const windows = await measureUntil(writing)
    const seconds = await writing
    const without = median([...before, ...(await measureQuiet())])
    const during = median(windows)
    const result = {
      ratio: during / without,
      without,
      during,
      worst: Math.max(...windows),
      windows: windows.length,
      seconds,
    }
    console.log(`Round ${round + 1} of ${site.rounds}:`, result)
    rounds.push(result)
  }
} finally {
  await site.close()
}
console.table(rounds)
const { size } = site
printReport([
  { name: `${size}: list p99 during a backup ÷ without`, measured: medianOf(rounds, ({ ratio }) => ratio), max: 1.5 },
  {
    name: `${size}: worst ${LOAD_SECONDS} s during a backup ÷ without`,
    measured: medianOf(rounds, ({ worst, without }) => worst / without),
  },
  { name: `${size}: backup with verification under load, s`, measured: medianOf(rounds, ({ seconds }) => seconds) },
])
