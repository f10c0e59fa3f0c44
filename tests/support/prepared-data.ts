import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** Environment variable with the data folder that `copyPreparedData` copies. Set by postgres.global.ts. */
export const PREPARED_DATA = 'PREPARED_DATA'

/**
 * Creates a data folder with a migrated, empty database, so that a site in it starts as for the second time, which takes
 * a second of CPU time less than the first. Does nothing without a prepared folder, or if there is a database already.
 */
export function copyPreparedData(dataDir: string): void {
  const prepared = process.env[PREPARED_DATA]
  if (!prepared || existsSync(path.join(dataDir, 'postgres'))) return
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  execFileSync('cp', ['-a', path.join(prepared, 'postgres'), dataDir])
}
