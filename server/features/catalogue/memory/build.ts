import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { optionsLike } from '#server/db/pool.ts'
import type { BuildTask } from './build-thread.ts'
import { MemoryIndex } from './memory-index.ts'
import { readIndex } from './read-index.ts'
import { selectRows } from './row.ts'
import type { Section } from './sections.ts'

/** So many are read sooner than a thread begins. */
const MOST_AT_ONCE = 1000

export interface BuildSource {
  db: Database
  /** The same database; the index takes a connection like those of the pool for as long as it is read. */
  pool: pg.Pool
  mostAtOnce?: number
}

/** An index of all that is listed at one moment after the call. A large one is made in a thread: nobody waits meanwhile. */
export async function buildIndex(source: BuildSource, signal: AbortSignal): Promise<MemoryIndex> {
  const { db, pool, mostAtOnce = MOST_AT_ONCE } = source
  const { sql: query } = selectRows(sql`true order by s.id`).compile(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from scripts`.execute(db)
  signal.throwIfAborted()
  if ((rows[0]?.last ?? 0) > mostAtOnce) return buildInThread(pool, query, signal)
  const client = await pool.connect()
  let isBroken = true
  try {
    const index = await readIndex(client, query)
    isBroken = false
    return index
  } finally {
    client.release(isBroken)
  }
}

async function buildInThread(pool: pg.Pool, query: string, signal: AbortSignal): Promise<MemoryIndex> {
  const { types: _functions, ...connection } = optionsLike(pool)
  const task: BuildTask = { connection, query }
  const thread = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: task })
  try {
    const sections: Section[] = []
    for await (const [some] of on(thread, 'message', { signal, close: ['exit'] })) {
      if ((some as Section[]).length === 0) break
      sections.push(...(some as Section[]))
    }
    return await MemoryIndex.from(sections)
  } finally {
    await thread.terminate()
  }
}
