import { type BoundedPool, openPool } from '#server/platform/db/pool.ts'
import { startCluster, startReplica, type TestCluster, type TestReplica } from './replica.ts'

export interface Replicated {
  primary: TestCluster
  pool: BoundedPool
  replica: TestReplica
  close: () => Promise<void>
}

/** Starts a primary that `prepare` fills, and a replica of it. Closes everything if one of them fails to start. */
export async function startReplicated(prepare: (pool: BoundedPool) => Promise<unknown>): Promise<Replicated> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const primary = await startCluster({ isMigrated: true })
    closers.push(() => primary.stop())
    const pool = openPool(primary.connection)
    closers.push(() => pool.end())
    await prepare(pool)
    const replica = await startReplica(primary)
    closers.push(() => replica.stop())
    return { primary, pool, replica, close }
  } catch (error) {
    await close()
    throw error
  }
}
