// Child process: writes a backup and verifies it by restoring it into another PostgreSQL. Its parent gives it a low priority.
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import type { Config } from '#server/platform/config.ts'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { openFileStore, openS3Store, type MediaStore } from '#server/platform/media/store.ts'
import { serveTask } from '#server/platform/jobs/background-process.ts'
import { restoreBackup } from './restore.ts'
import { openStorage } from './storage.ts'
import { uploadBackup } from './transfer.ts'
import { writeBackup } from './write.ts'

export interface ScheduledTask {
  connection: pg.ClientConfig
  /** Where to write it: a new folder, or a prefix of a bucket without objects. */
  target: StorageLocation
  /** Empty folder, which the parent removes. */
  scratch: string
  config: Pick<Config, 'dataDir' | 'mediaS3'>
}

export interface ScheduledResult {
  bytes: number
}

let checking: ReturnType<typeof startPostgres> | undefined

async function stopChecking(): Promise<void> {
  const starting = checking
  checking = undefined
  await starting?.then(
    (postgres) => postgres.stop(),
    () => {},
  )
}

/** Images were compared with their checksums already, and need no second copy. */
const NO_STORE: MediaStore = {
  put: async () => {},
  get: async () => undefined,
  has: async () => false,
  remove: async () => {},
  async *list() {},
}

async function verify(source: string, dataDir: string): Promise<void> {
  checking = startPostgres({ dataDir, durable: false })
  const { connection } = await checking
  await restoreBackup({ source, connect: async () => ({ ...connection }), store: NO_STORE, dataDir })
  await stopChecking()
  await rm(dataDir, { recursive: true })
}

async function sizeOf(target: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size
  }
  return bytes
}

async function run({ connection, target, scratch, config }: ScheduledTask): Promise<ScheduledResult> {
  const store = config.mediaS3 ? openS3Store(config.mediaS3) : openFileStore(path.join(config.dataDir, 'media'))
  const folder = typeof target === 'string' ? target : path.join(scratch, 'backup')
  try {
    await writeBackup({ connection, target: folder, store, keyFolder: config.dataDir, isPaced: true })
    const bytes = await sizeOf(folder)
    await verify(folder, path.join(scratch, 'data'))
    if (typeof target !== 'string') await uploadBackup(folder, openStorage(target))
    return { bytes }
  } finally {
    await stopChecking()
  }
}

await serveTask(run, async ({ scratch }) => {
  await stopChecking()
  // If the parent was killed, it cannot remove the folder.
  await rm(scratch, { recursive: true, force: true })
})
