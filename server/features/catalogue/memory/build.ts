import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { optionsLike } from '#server/db/pool.ts'
import type { BuildOutcome, BuildTask } from './build-process.ts'
import { keptFile, temporaryBeside } from './index-files.ts'
import { MemoryIndex } from './memory-index.ts'
import { readIndex } from './read-index.ts'
import { selectRows } from './row.ts'
import { readSections } from './section-file.ts'

/** So many are read sooner than a process begins. */
const MOST_AT_ONCE = 1000
const PROGRAM = path.join(import.meta.dirname, 'build-process.ts')
/**
 * One thread for all, its garbage too: helpers that have a processor each while the index is made leave none to who serves.
 * On two processors, requests then wait for 20 milliseconds and more, and the index is not made sooner.
 */
const OPTIONS = ['--single-threaded-gc', '--v8-pool-size=1']

export interface BuildSource {
  db: Database
  /** The same database; the index takes a connection like those of the pool for as long as it is read. */
  pool: pg.Pool
  /** A folder where a large index is left for a moment. */
  dataDir: string
  mostAtOnce?: number
}

/** An index of all that is listed at one moment after the call. A process makes a large one: nobody waits meanwhile. */
export async function buildIndex(source: BuildSource, signal: AbortSignal): Promise<MemoryIndex> {
  const { db, pool, dataDir, mostAtOnce = MOST_AT_ONCE } = source
  const { sql: query } = selectRows(sql`true order by s.id`).compile(db)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from scripts`.execute(db)
  signal.throwIfAborted()
  if ((rows[0]?.last ?? 0) > mostAtOnce) {
    const { types: _functions, ...connection } = optionsLike(pool)
    return buildBeside({ connection, query, file: temporaryBeside(keptFile(dataDir)) }, signal)
  }
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

async function buildBeside(task: BuildTask, signal: AbortSignal): Promise<MemoryIndex> {
  const child = fork(PROGRAM, {
    execArgv: OPTIONS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => {})
  try {
    child.send(task)
    const { failure } = await hearOutcome(child, signal)
    if (failure !== undefined) throw new Error(failure)
    return await readIndexFile(task.file)
  } finally {
    await end(child)
    await rm(task.file, { force: true })
  }
}

async function hearOutcome(child: ChildProcess, signal: AbortSignal): Promise<BuildOutcome> {
  const ended = once(child, 'exit', { signal }).then(([code, by]): [BuildOutcome] => {
    return [{ failure: `the process that makes it ended (${by ?? code})` }]
  })
  const [outcome] = (await Promise.race([once(child, 'message', { signal }), ended])) as [BuildOutcome]
  return outcome
}

async function readIndexFile(file: string): Promise<MemoryIndex> {
  const handle = await open(file)
  try {
    const { sections } = await readSections(handle)
    return await MemoryIndex.from(sections)
  } finally {
    await handle.close()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
