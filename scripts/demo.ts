// npm run demo -- --scripts 1000000 [--seed 1]: fills an empty database with a large synthetic catalogue, for benchmarks.
import { parseArgs } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool, SLOW_SERVER } from '#server/platform/db/pool.ts'
import { fillSynthetic } from './synthetic/fill.ts'

const BAR = 30

function showProgress(done: number, all: number): void {
  const filled = Math.round((done / all) * BAR)
  const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${done.toLocaleString('en')} scripts`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === all ? '\n' : ''}`)
  else if (done === all) console.log(line)
}

function readCount(text: string, name: string, min: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= min && count <= 5_000_000) return count
  throw new Error(`--${name} takes a whole number from ${min} to 5000000.`)
}

async function fill(): Promise<void> {
  const { values } = parseArgs({
    options: { scripts: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  })
  const scripts = readCount(values.scripts, 'scripts', 1)
  const seed = readCount(values.seed, 'seed', 0)
  const config = readConfig(readEnvironment())
  const { dataDir, walArchive } = config
  const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir, walArchive })
  const connection = config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.connection ?? ''
  const pool = openPool(connection, undefined, { silence: SLOW_SERVER })
  try {
    await migrate(pool)
    const started = performance.now()
    await fillSynthetic(pool, { scripts, seed, onProgress: (done) => showProgress(done, scripts) })
    console.log(`Filled in ${Math.round((performance.now() - started) / 1000)} s.`)
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

try {
  await fill()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
