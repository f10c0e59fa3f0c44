// Child process: writes a backup and verifies it by restoring it into another PostgreSQL. Its parent gives it a low priority.
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import { startPostgres } from '#server/db/embedded.ts'
import { openFileStore, openS3Store, type MediaStore } from '#server/features/media/store.ts'
import { restoreBackup } from './restore.ts'
import { writeBackup } from './write.ts'

export interface ScheduledTask {
  connection: pg.ClientConfig
  /** Folder to create. */
  target: string
  config: Pick<Config, 'dataDir' | 'mediaS3'>
}

/** The only message from the child process. */
export interface ScheduledResult {
  bytes?: number
  /** Why there is no verified backup. */
  error?: string
}

let scratch: ReturnType<typeof startPostgres> | undefined
let folder: string | undefined

async function removeScratch(): Promise<void> {
  const starting = scratch
  scratch = undefined
  await starting?.then(
    (postgres) => postgres.stop(),
    () => {},
  )
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}

// The parent has exited or stops.
process.on('disconnect', () => void removeScratch().finally(() => process.exit(0)))

/** Images are compared with their checksums before, and need no second copy. */
const NO_STORE: MediaStore = {
  put: async () => {},
  get: async () => undefined,
  has: async () => false,
  remove: async () => {},
  async *list() {},
}

async function verify(source: string): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-backup-check-'))
  const dataDir = folder
  scratch = startPostgres({ dataDir, durable: false })
  const { connection } = await scratch
  await restoreBackup({ source, connect: async () => ({ ...connection }), store: NO_STORE, dataDir })
}

async function sizeOf(target: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size
  }
  return bytes
}

async function run({ connection, target, config }: ScheduledTask): Promise<ScheduledResult> {
  const store = config.mediaS3 ? openS3Store(config.mediaS3) : openFileStore(path.join(config.dataDir, 'media'))
  try {
    await writeBackup({ connection, target, store, keyFolder: config.dataDir, isPaced: true })
    const bytes = await sizeOf(target)
    await verify(target)
    return { bytes }
  } catch (error) {
    return { error: (error as Error).message }
  } finally {
    await removeScratch()
  }
}

const [task] = (await once(process, 'message')) as [ScheduledTask]
const result = await run(task)
if (process.connected) process.send?.(result)
