import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import {
  type Address,
  claimCluster,
  type Connection,
  createCluster,
  openLoopbackAddress,
  openSocketAddress,
} from './cluster.ts'
import {
  COPIES_OF_ROOT,
  EmbeddedPostgresError,
  findBinaries,
  findBlockedFolder,
  findOwner,
  type Owner,
} from './installation.ts'
import { lockDataDir } from './lock.ts'
import { startServer, stopLeftover, supervise } from './server.ts'

export { EmbeddedPostgresError } from './installation.ts'
export { lockDataDir } from './lock.ts'
export { stopLeftover } from './server.ts'

export interface EmbeddedPostgresOptions {
  /** An existing folder that PostgreSQL's user may enter. */
  dataDir: string
  /** Name of the database superuser. */
  user: string
  /** False for throwaway databases: faster, but a power failure destroys them. */
  durable?: boolean
  /** Default 50. */
  maxConnections?: number
  /** More settings of the server, which win over the settings of this package. */
  settings?: Record<string, string>
  /** Variables for the programs that the server starts, such as the one of `archive_command`. */
  environment?: Record<string, string>
  /** Receives the output of the server, and errors of restarts. */
  log?: (line: string) => void
}

export interface EmbeddedPostgres {
  connection: Connection
  /** Stops the server and unlocks the folder. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on the cluster in `dataDir`, which is created if it does not exist, and keeps it running until `stop`.
 * Throws EmbeddedPostgresError for what the operator can fix.
 */
export async function startPostgres({
  dataDir,
  user,
  durable = true,
  maxConnections = 50,
  settings = {},
  environment = {},
  log = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = realpathSync(dataDir)
  const folder = path.join(home, 'postgres')
  const owner = findOwner(folder)
  const isRoot = process.getuid?.() === 0
  const binaries = findBinaries(owner, isRoot ? COPIES_OF_ROOT : path.join(home, 'postgres-programs'))
  let unlock: (() => void) | undefined
  let address: Address | undefined
  const release = () => {
    address?.close()
    unlock?.()
  }
  try {
    unlock = await lockDataDir(home)
    claimCluster(folder, owner)
    address =
      process.platform === 'win32' ? await openLoopbackAddress(home, user) : openSocketAddress(home, user, owner)
    const cluster = { folder, binaries, owner, address, durable, maxConnections, settings, environment }
    await createCluster(cluster)
    await stopLeftover(folder)
    const stop = supervise(await startServer(cluster, log), cluster, log)
    return {
      connection: address.connection,
      stop: async () => {
        await stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw explainError(error, folder, owner)
  }
}

/** An EmbeddedPostgresError if the operator can fix the cause, else the error itself. */
function explainError(error: unknown, folder: string, owner: Owner): unknown {
  const text = error instanceof Error ? error.message : ''
  if (error instanceof EmbeddedPostgresError) return error
  if (/No space left on device|Disk quota exceeded|not enough space/i.test(text)) {
    return new EmbeddedPostgresError('disk_full', text)
  }
  if (/Permission denied|EACCES|EPERM|wrong ownership/.test(text)) {
    const blocked = findBlockedFolder(path.dirname(folder), owner)
    return blocked === undefined
      ? new EmbeddedPostgresError('wrong_owner', `${folder} has files of another user.`, { folder })
      : new EmbeddedPostgresError('unreachable', `PostgreSQL's user may not enter ${blocked}.`, { folder: blocked })
  }
  if (/database files are incompatible with server/.test(text)) {
    const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
    return new EmbeddedPostgresError('other_version', `${folder} is of PostgreSQL ${version}.`, { folder, version })
  }
  const [, reason] = /(?:FATAL: {2}|PANIC: {2}|^postgres: )(.+)$/m.exec(text) ?? []
  return reason === undefined ? error : new EmbeddedPostgresError('cannot_start', reason, { folder })
}
