import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import {
  BulkBuilder,
  type BulkBuilderOptions,
  CatalogueIndex,
  type IndexTuning,
  readSnapshot,
} from '@scriptyard/catalogue-index'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Flag, Sort } from '#contract/catalogue-names.ts'
import type { Tag } from '#contract/catalogue.ts'
import type { Database } from '#server/platform/db/database.ts'
import { optionsForChild } from '#server/platform/db/pool.ts'
import { runInBackground } from '#server/platform/jobs/background-process.ts'
import { copyRows, decodeRow, selectRows } from './index-rows.ts'
import { snapshotFile, temporaryFile } from './index-snapshots.ts'
import { SCRIPT_SCHEMA, type ScriptIndex } from './script-index.ts'

/** Catalogues up to this id are read in this process, faster than a child starts. `npm run bench` measures both. */
const MAX_IN_PROCESS = 1000
const PROGRAM = path.join(import.meta.dirname, 'index-builder-process.ts')

export interface BuildTask {
  connection: pg.ClientConfig
  /** For `readIndex`. */
  query: string
  /** Path of the file for the index; it must not exist. */
  file: string
}

export interface BuildSource {
  db: Database
  /** A child process connects with the settings of the pool. */
  pool: pg.Pool
  /** Folder for the temporary file in which a child process passes on a large index. */
  dataDir: string
  maxInProcess?: number
  tuning?: Partial<IndexTuning> | undefined
}

/** Indexes the scripts listed at one moment after the call. Rejects on a failure and when `signal` aborts. */
export async function buildIndex(source: BuildSource, signal: AbortSignal): Promise<ScriptIndex> {
  const { db, pool, dataDir, maxInProcess = MAX_IN_PROCESS, tuning } = source
  const { sql: query } = selectRows(sql`true order by s.id`).compile(db)
  const { rows } = await sql<{ max: number | null }>`select max(id) as max from scripts`.execute(db)
  signal.throwIfAborted()
  if ((rows[0]?.max ?? 0) > maxInProcess) {
    const connection = optionsForChild(pool)
    return buildInChild({ connection, query, file: temporaryFile(snapshotFile(dataDir)) }, signal)
  }
  const client = await pool.connect()
  let isBroken = true
  try {
    const index = await readIndex(client, query, { tuning })
    isBroken = false
    return index
  } finally {
    client.release(isBroken)
  }
}

/** The query selects rows by ascending id, without parameters. After a failure, don't use the connection again. */
export async function readIndex(
  client: pg.ClientBase,
  query: string,
  options: Pick<BulkBuilderOptions, 'onStep' | 'tuning'> = {},
): Promise<ScriptIndex> {
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  const ids = await client.query<{ max: number | null }>('select max(id) as max from scripts')
  const builder = new BulkBuilder<Flag, Exclude<Sort, 'relevance'>, Tag>(SCRIPT_SCHEMA, {
    ...options,
    maxId: ids.rows[0]?.max ?? 0,
  })
  const tags = await client.query<Tag>('select id, name, color from tags order by id')
  for (const tag of tags.rows) builder.addTag(tag)
  await copyRows(client, query, (row) => builder.add(decodeRow(row)))
  await client.query('commit')
  return builder.finish()
}

async function buildInChild(task: BuildTask, signal: AbortSignal): Promise<ScriptIndex> {
  try {
    await runInBackground(PROGRAM, task, { signal })
    return await readIndexFile(task.file)
  } finally {
    await rm(task.file, { force: true })
  }
}

async function readIndexFile(file: string): Promise<ScriptIndex> {
  const handle = await open(file)
  try {
    const { data } = await readSnapshot(handle)
    return await CatalogueIndex.load(SCRIPT_SCHEMA, data)
  } finally {
    await handle.close()
  }
}
