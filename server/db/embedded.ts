import { realpathSync } from 'node:fs'
import path from 'node:path'
import {
  type Address,
  type EmbeddedConnection,
  openLoopbackAddress,
  openSocketAddress,
} from '#server/db/embedded/address.ts'
import { findBinaries } from '#server/db/embedded/binaries.ts'
import { type Cluster, ensureCluster } from '#server/db/embedded/cluster.ts'
import { explainFailure } from '#server/db/embedded/failure.ts'
import { openDataDir } from '#server/db/embedded/folders.ts'
import { stopLeftover } from '#server/db/embedded/leftover.ts'
import { lockDataDir } from '#server/db/embedded/lock.ts'
import { findOwner } from '#server/db/embedded/owner.ts'
import { startPostmaster } from '#server/db/embedded/postmaster.ts'
import { supervise } from '#server/db/embedded/supervise.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** False for throwaway databases: quicker, and lost with the machine's power. */
  durable?: boolean
  maxConnections?: number
  log?: (line: string) => void
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that comes with Scriptyard on the cluster in `dataDir`, which it makes first where there is none,
 * and keeps it up until `stop`. Throws `SettingError` for what the person who starts the server can mend.
 */
export async function startPostgres({
  dataDir,
  durable = true,
  maxConnections = 50,
  log = () => {},
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const bin = findBinaries()
  openDataDir(dataDir)
  const home = realpathSync(dataDir)
  const folder = path.join(home, 'postgres')
  const owner = findOwner(folder)
  let unlock: (() => void) | undefined
  let address: Address | undefined
  const leave = () => {
    address?.close()
    unlock?.()
  }
  try {
    unlock = await lockDataDir(home)
    address = process.platform === 'win32' ? await openLoopbackAddress(home) : openSocketAddress(home, owner)
    const cluster: Cluster = { folder, bin, owner, address, durable, maxConnections }
    await ensureCluster(cluster)
    await stopLeftover(folder)
    const stop = supervise(await startPostmaster(cluster, log), cluster, log)
    return {
      connection: address.connection,
      stop: async () => {
        await stop()
        leave()
      },
    }
  } catch (error) {
    leave()
    throw explainFailure(error, dataDir, bin.folder, owner)
  }
}
