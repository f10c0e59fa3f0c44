import { existsSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#server/platform/db/embedded.ts'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool, SLOW_SERVER } from '#server/platform/db/pool.ts'
import { fillSynthetic } from '../../scripts/synthetic/fill.ts'

export interface BenchDatabase {
  url: string
  stop(): Promise<void>
}

/** A database with this many synthetic scripts, generated unless `dataDir` exists. */
export async function openCatalogue(dataDir: string, scripts: number): Promise<BenchDatabase> {
  const isNew = !existsSync(dataDir)
  const embedded = await startPostgres({ dataDir })
  const pool = openPool(embedded.connection, undefined, { silence: SLOW_SERVER })
  await migrate(pool)
  if (isNew) {
    console.log(`Generating ${scripts.toLocaleString('en')} scripts...`)
    await fillSynthetic(pool, { scripts, seed: 1, onProgress: () => {} })
  }
  await pool.end()
  return { url: urlOf(embedded), stop: () => embedded.stop() }
}

function urlOf({ connection }: EmbeddedPostgres): string {
  const { host, user, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

/** A temporary folder that PostgreSQL can enter, which runs as another user if root starts the benchmark. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-bench-'))
  await chmod(folder, 0o755)
  return folder
}
