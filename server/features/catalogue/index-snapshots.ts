import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { CatalogueIndex, readSnapshot, type SnapshotData, writeSnapshot } from '@scriptyard/catalogue-index'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { canReadFrom, type FeedCheckpoint, findElapsedScripts, readClock, readFeed } from './feed.ts'
import { SCRIPT_SCHEMA, type ScriptIndex } from './script-index.ts'

/** Reading a smaller catalogue from the database is as fast. `npm run bench` measures both kinds of start. */
const MIN_SCRIPTS = 20_000
const INTERVAL_MS = 10 * 60_000
const FILE_NAME = 'catalogue-index'
const LEFTOVER_AGE_MS = 60 * 60_000

export interface IndexSnapshotsOptions {
  db: Database
  log: FastifyBaseLogger
  dataDir: string
  minScripts?: number
  /** True for all but one of the processes that share a data folder. Only that one writes and discards the snapshot. */
  isReadOnly?: boolean
  findCheckpoint(): FeedCheckpoint | undefined
}

export interface RestoredIndex {
  index: ScriptIndex
  changedIds: number[]
}

/** Snapshot of the catalogue index in the data folder. It spares a large site building the index after a restart. */
export class IndexSnapshots {
  readonly #options: IndexSnapshotsOptions
  readonly #file: string
  #writing: Promise<void> = Promise.resolve()
  #writtenAt = -Infinity
  #writtenCheckpoint = ''

  constructor(options: IndexSnapshotsOptions) {
    this.#options = options
    this.#file = snapshotFile(options.dataDir)
  }

  get isDue(): boolean {
    return !this.#options.isReadOnly && performance.now() - this.#writtenAt > INTERVAL_MS
  }

  /** Undefined without a usable snapshot. An unusable file is deleted. */
  async restore(): Promise<RestoredIndex | undefined> {
    const { db, log, dataDir, isReadOnly } = this.#options
    try {
      if (!isReadOnly) await removeLeftovers(dataDir)
      const snapshot = await readSnapshotFile(this.#file)
      if (!snapshot) return undefined
      const { databaseId, checkpoint, data } = snapshot
      if (databaseId !== (await findDatabaseId(db))) throw new Error('written for another database')
      if (!(await canReadFrom(db, checkpoint.position))) throw new Error('older than the change feed')
      const index: ScriptIndex = await CatalogueIndex.load(SCRIPT_SCHEMA, data)
      this.#writtenAt = performance.now()
      this.#writtenCheckpoint = JSON.stringify(checkpoint)
      return { index, changedIds: await this.#findChanges(checkpoint) }
    } catch (error) {
      if (isReadOnly) return undefined
      log.warn({ reason: (error as Error).message }, 'catalogue index snapshot discarded')
      await rm(this.#file, { force: true })
      return undefined
    }
  }

  /** Until the promise resolves, the index must not change. It must contain all changes up to the checkpoint. */
  async take(index: ScriptIndex): Promise<void> {
    if (this.#options.isReadOnly) return
    const checkpoint = this.#options.findCheckpoint()
    if (!checkpoint || index.size < (this.#options.minScripts ?? MIN_SCRIPTS)) return
    if (JSON.stringify(checkpoint) === this.#writtenCheckpoint) return
    this.#writtenAt = performance.now()
    const copy = await index.save()
    this.#writing = this.#writing.then(() => this.#write(copy, checkpoint))
  }

  /** Resolves when the last copy is on the disk. */
  get written(): Promise<void> {
    return this.#writing
  }

  async #write(data: SnapshotData, checkpoint: FeedCheckpoint): Promise<void> {
    const { db, log } = this.#options
    try {
      const databaseId = await findDatabaseId(db)
      if (databaseId === undefined) return
      await writeSnapshotFile(this.#file, { databaseId, checkpoint, data })
      this.#writtenCheckpoint = JSON.stringify(checkpoint)
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'catalogue index snapshot not written')
    }
  }

  async #findChanges({ position, returnedUntil }: FeedCheckpoint): Promise<number[]> {
    const { db } = this.#options
    const changed = new Set(await findElapsedScripts(db, returnedUntil, await readClock(db)))
    for (let after = position; ;) {
      const page = await readFeed(db, after)
      for (const id of page.scriptIds) changed.add(id)
      if (page.isLast) return [...changed]
      after = page.position
    }
  }
}

export const snapshotFile = (dataDir: string) => path.join(dataDir, FILE_NAME)

export const temporaryFile = (file: string) => `${file}.${randomUUID()}`

interface SnapshotHeader {
  databaseId: string
  checkpoint: FeedCheckpoint
}

interface IndexSnapshot extends SnapshotHeader {
  data: SnapshotData
}

/** Replaces the file once the new one is complete. */
async function writeSnapshotFile(file: string, { data, ...header }: IndexSnapshot): Promise<void> {
  const temporary = temporaryFile(file)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await writeSnapshot(handle, data, header)
    await handle.datasync()
    await handle.close()
    await rename(temporary, file)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

/** Undefined without a file. Throws an Error that says why a file cannot be used. */
export async function readSnapshotFile(file: string): Promise<IndexSnapshot | undefined> {
  const handle = await openExisting(file)
  if (!handle) return undefined
  try {
    const { header, data } = await readSnapshot(handle)
    return { ...(header as SnapshotHeader), data }
  } finally {
    await handle.close()
  }
}

async function openExisting(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names.filter((one) => one.startsWith(`${FILE_NAME}.`))) {
    const file = path.join(dataDir, name)
    const stats = await stat(file).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > LEFTOVER_AGE_MS) await rm(file, { force: true })
  }
}

/** Identifies this database (a copy has another id) and its migrations. Undefined if the server does not reveal it. */
async function findDatabaseId(db: Database): Promise<string | undefined> {
  const query = sql<{ id: string }>`select concat_ws('/', s.system_identifier, c.timeline_id,
      (select oid from pg_database where datname = current_database()),
      (select md5(string_agg(name || checksum, ' ' order by name)) from migrations)) as id
    from pg_control_system() s, pg_control_checkpoint() c`
  try {
    const { rows } = await query.execute(db)
    return rows[0]?.id
  } catch {
    // Some hosts do not allow these functions. No snapshot is written there.
    return undefined
  }
}
