import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Address, type Connection, createCluster, openLoopbackAddress, openSocketAddress } from './cluster.ts'
import { EmbeddedPostgresError, findBinaries, findOwner, type Owner } from './installation.ts'
import { lockDataDir } from './lock.ts'
import { startServer, stopLeftover, supervise } from './server.ts'

export { EmbeddedPostgresError } from './installation.ts'

export interface EmbeddedPostgresOptions {
  /** An existing folder that PostgreSQL's user may enter. */
  dataDir: string
  /** Name of the database superuser. */
  user: string
  /** False for throwaway databases: faster, but a power failure destroys them. */
  durable?: boolean
  maxConnections?: number
  log?: (line: string) => void
}

export interface EmbeddedPostgres {
  connection: Connection
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
  log = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = findBinaries()
  const home = realpathSync(dataDir)
  const folder = path.join(home, 'postgres')
  const owner = findOwner(folder)
  let unlock: (() => void) | undefined
  let address: Address | undefined
  const release = () => {
    address?.close()
    unlock?.()
  }
  try {
    unlock = await lockDataDir(home)
    address =
      process.platform === 'win32' ? await openLoopbackAddress(home, user) : openSocketAddress(home, user, owner)
    const cluster = { folder, binaries, owner, address, durable, maxConnections }
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
    throw explainError(error, [dataDir, binaries.folder], owner)
  }
}

/** An EmbeddedPostgresError if the operator can fix the cause, else the error itself. */
function explainError(error: unknown, folders: string[], owner: Owner): unknown {
  const text = error instanceof Error ? error.message : ''
  if (/No space left on device|Disk quota exceeded|not enough space/i.test(text)) {
    return new EmbeddedPostgresError('disk_full', text)
  }
  if (!/Permission denied|EACCES/.test(text)) return error
  const blocked = folders.map((folder) => findBlocked(folder, owner)).find((folder) => folder !== undefined)
  if (blocked === undefined) return error
  return new EmbeddedPostgresError('unreachable', `PostgreSQL's user may not enter ${blocked}.`, { folder: blocked })
}

/** The first parent folder of `target` that `owner` may not enter. */
function findBlocked(target: string, { uid, gid }: Owner): string | undefined {
  if (uid === undefined) return undefined
  const parents = target.split(path.sep).map((_, depth, parts) => parts.slice(0, depth + 1).join(path.sep) || path.sep)
  return parents.find((folder) => {
    const stat = statSync(folder, { throwIfNoEntry: false })
    if (!stat) return false
    if (stat.uid === uid) return (stat.mode & 0o100) === 0
    return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) === 0
  })
}
