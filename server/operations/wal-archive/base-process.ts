// Child process: writes a base backup, and removes what the archive no longer needs. Its parent gives it a low priority.
import { once } from 'node:events'
import type pg from 'pg'
import type { WalArchiveConfig } from '#server/platform/config.ts'
import { openStorage } from '#server/operations/backup/storage.ts'
import { writeBaseBackup } from './base-backup.ts'
import { removeExpired } from './retention.ts'

export interface BaseTask {
  connection: pg.ClientConfig
  walArchive: WalArchiveConfig
  keyFolder: string
  isFast: boolean
}

export interface BaseResult {
  bytes?: number
  error?: string
}

// The parent has exited or stops.
process.on('disconnect', () => process.exit(0))

async function run({ connection, walArchive, keyFolder, isFast }: BaseTask): Promise<BaseResult> {
  const storage = openStorage(walArchive.location)
  try {
    const { bytes } = await writeBaseBackup({ connection, storage, keyFolder, isFast })
    await removeExpired(storage, walArchive.retainedDays)
    return { bytes }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

const [task] = (await once(process, 'message')) as [BaseTask]
const result = await run(task)
if (process.connected) process.send?.(result)
