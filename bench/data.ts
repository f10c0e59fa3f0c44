import { existsSync } from 'node:fs'
import { type EmbeddedPostgres, startPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { fillSynthetic } from '../scripts/synthetic/fill.ts'

export interface Data {
  /** For DATABASE_URL. */
  url: string
  stop(): Promise<void>
}

/** A database with so many synthetic scripts: made where it is not there yet. */
export async function openData(dataDir: string, scripts: number): Promise<Data> {
  const isNew = !existsSync(dataDir)
  const embedded = await startPostgres({ dataDir })
  const pool = openPool(embedded.connection)
  await migrate(pool)
  if (isNew) {
    console.log(`Making ${scripts.toLocaleString('en')} scripts...`)
    await fillSynthetic(pool, { scripts, seed: 1, onProgress: () => {} })
  }
  await pool.end()
  return { url: urlOf(embedded), stop: () => embedded.stop() }
}

function urlOf({ connection }: EmbeddedPostgres): string {
  const { host, user, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
