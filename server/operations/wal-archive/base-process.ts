// Child process: writes a base backup, and removes what the archive no longer needs. Its parent gives it a low priority.
import type pg from 'pg'
import type { WalArchiveConfig } from '#server/platform/config.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { serveTask } from '#server/platform/jobs/background-process.ts'
import { writeBaseBackup } from './base-backup.ts'
import { removeExpired } from './retention.ts'

export interface BaseTask {
  connection: pg.ClientConfig
  walArchive: WalArchiveConfig
  keyFolder: string
  isFast: boolean
}

export interface BaseResult {
  bytes: number
}

await serveTask<BaseTask>(async ({ connection, walArchive, keyFolder, isFast }): Promise<BaseResult> => {
  const storage = openStorage(walArchive.location)
  const { bytes } = await writeBaseBackup({ connection, storage, keyFolder, isFast })
  await removeExpired(storage, walArchive.retainedDays)
  return { bytes }
})
