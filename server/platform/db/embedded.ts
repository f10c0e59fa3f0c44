import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  lockDataDir as lockEmbeddedDataDir,
  startPostgres as startEmbeddedPostgres,
  stopLeftover,
} from '@scriptyard/embedded-postgres'
import { type Connection, socketFolder } from '@scriptyard/embedded-postgres/cluster'
import { dataDirError, prepareDataDir } from '#server/platform/config/data-dir.ts'
import type { StorageLocation } from '#server/platform/config/storage.ts'
import { SettingError } from '#server/platform/config/values.ts'
import { archiveTo } from './wal-archiving.ts'

export interface PostgresOptions extends Omit<EmbeddedPostgresOptions, 'user'> {
  /** Every start of a site's database needs it: WAL that is written without it is missing in the archive. */
  walArchive?: { location: StorageLocation } | undefined
}

/** Starts the embedded PostgreSQL of a data folder. Throws SettingError for what the operator can fix. */
export async function startPostgres({ walArchive, ...options }: PostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  prepareDataDir(dataDir)
  allowPostgresUser(dataDir)
  const archiving = walArchive ? archiveTo(walArchive.location, dataDir) : {}
  try {
    return await startEmbeddedPostgres({ ...archiving, ...options, user: 'scriptyard' })
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? toSettingError(error, dataDir) : dataDirError(dataDir, error)
  }
}

/** Locks a data folder, so that no site can start on it. Returns a function that unlocks it. Throws SettingError. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  prepareDataDir(dataDir)
  allowPostgresUser(dataDir)
  try {
    return await lockEmbeddedDataDir(realpathSync(dataDir))
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? toSettingError(error, dataDir) : dataDirError(dataDir, error)
  }
}

export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const home = realpathSync(dataDir)
  await stopLeftover(path.join(home, 'postgres'))
  rmSync(socketFolder(home), { recursive: true, force: true })
}

// If root starts the server, PostgreSQL runs as another user, who has to enter its folder through this one. A private folder
// with no other content, for example from mktemp, is opened for that. Any other folder is not changed.
function allowPostgresUser(dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const isPrivate = (lstatSync(dataDir).mode & 0o001) === 0
  if (isPrivate && readdirSync(dataDir).every((name) => name === 'secret-key')) chmodSync(dataDir, 0o711)
}

export function findRunningPostgres(dataDir: string): Connection | undefined {
  if (!existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'))) return undefined
  return { host: socketFolder(realpathSync(dataDir)), user: 'scriptyard', database: 'postgres' }
}

function toSettingError({ code, message, details }: EmbeddedPostgresError, dataDir: string): unknown {
  switch (code) {
    case 'unsupported_platform': {
      const reason = `is not set, and no PostgreSQL comes with Scriptyard for ${details.platform}`
      return new SettingError('DATABASE_URL', `${reason}; set it to the URL of a PostgreSQL 18.`)
    }
    case 'in_use': {
      const advice = 'stop that one or set DATA_DIR to another folder'
      const where = details.pid === undefined ? 'in another container or on another machine' : `process ${details.pid}`
      return new SettingError('DATA_DIR', `(${dataDir}) is in use by another server (${where}); ${advice}.`)
    }
    case 'unreachable': {
      const reason = `cannot be used: PostgreSQL's user may not enter ${details.folder}`
      const advice = `run \`chmod o+x ${details.folder}\`, start as another user, or move it`
      return new SettingError('DATA_DIR', `(${dataDir}) ${reason}; ${advice}.`)
    }
    case 'wrong_owner': {
      const user = userInfo().username
      const advice = `run \`sudo chown -R ${user} ${dataDir}\`, or start as the user who owns it`
      return new SettingError('DATA_DIR', `(${dataDir}) has a database that belongs to another user; ${advice}.`)
    }
    case 'no_temporary_folder': {
      const reason = `is a folder in which ${userInfo().username} may not create files`
      return new SettingError('TMPDIR', `(${details.folder}) ${reason}; set it to one in which that user may.`)
    }
    case 'other_version': {
      const reason = `has a database of PostgreSQL ${details.version}, and this version of Scriptyard comes with another one`
      const first = 'run `npm run backup -- FOLDER` with the version of Scriptyard that you used before'
      const then = 'move DATA_DIR away and run `npm run restore -- FOLDER` with this version'
      return new SettingError('DATA_DIR', `(${dataDir}) ${reason}: ${first}, then ${then}.`)
    }
    case 'cannot_start': {
      const reason = `has a database that PostgreSQL cannot start (${message})`
      return new SettingError('DATA_DIR', `(${dataDir}) ${reason}; restore a backup or set another folder.`)
    }
    case 'disk_full':
      return dataDirError(dataDir, Object.assign(new Error(message), { code: 'ENOSPC' }))
  }
}
