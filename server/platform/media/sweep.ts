import type { FastifyBaseLogger } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { mediaNames, type MediaStore, readHash, type StoredFile } from './store.ts'

/** The first of this many sweeps also lists the whole store. */
const LISTING_INTERVAL = 24
/** Images that one statement examines, so that each statement is short. */
const RANGE_SIZE = 4000

/** Removes each unused image in its own transaction, so that uploads and other sweeps can run at the same time. */
export class MediaSweep {
  readonly #db: Database
  readonly #store: MediaStore
  readonly #log: FastifyBaseLogger
  readonly #rangeSize: number
  readonly #stopping = new AbortController()
  #count = 0

  constructor(db: Database, store: MediaStore, log: FastifyBaseLogger, rangeSize = RANGE_SIZE) {
    this.#db = db
    this.#store = store
    this.#log = log
    this.#rangeSize = rangeSize
  }

  /** Sweeps once. Throws the first error; the next sweep retries what failed. */
  async run(): Promise<void> {
    const context = { db: this.#db, store: this.#store, rangeSize: this.#rangeSize, signal: this.#stopping.signal }
    const images = await removeUnused(context)
    const files = this.#count++ % LISTING_INTERVAL === 0 ? await removeOrphanedFiles(context) : 0
    if (images + files > 0) this.#log.info({ images, files }, 'unused images removed')
  }

  stop(): void {
    this.#stopping.abort()
  }
}

interface SweepContext {
  db: Database
  store: MediaStore
  rangeSize: number
  signal: AbortSignal
}

const UNUSED_RETENTION = '1 day'
const BATCH = 500
/** A few images that can't be removed don't stop the sweep; a store that is down does. */
const MAX_FAILURES = 5
const FOREIGN_KEY_VIOLATION = '23503'
/** Greater than every hash. */
const AFTER_LAST = 'g'

/** Returns the number of images. */
export async function removeUnused(context: SweepContext): Promise<number> {
  const uses = await findUses(context.db)
  await updateUnusedSince(context, uses)
  const isDue = sql`m.unused_since < now() - ${UNUSED_RETENTION}::interval and ${uses.isUnused}`
  const failures: unknown[] = []
  let removed = 0
  for await (const hash of listDue(context, isDue)) {
    try {
      if (await removeImage(context, hash, isDue)) removed++
    } catch (error) {
      failures.push(error)
      if (failures.length >= MAX_FAILURES) break
    }
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

async function updateUnusedSince(context: SweepContext, { isUsed, isUnused }: Uses): Promise<void> {
  const { db, rangeSize, signal } = context
  await sql`update media m set unused_since = null where m.unused_since is not null and (${isUsed})`.execute(db)
  for (let after = ''; after !== AFTER_LAST && !signal.aborted;) {
    const { rows } = await sql<{ hash: string }>`
      select hash from media where hash > ${after} order by hash offset ${rangeSize - 1} limit 1`.execute(db)
    const last = rows[0]?.hash ?? AFTER_LAST
    await sql`update media m set unused_since = now()
      where m.hash > ${after} and m.hash <= ${last} and m.unused_since is null and ${isUnused}`.execute(db)
    after = last
  }
}

async function* listDue({ db, signal }: SweepContext, isDue: RawBuilder<unknown>): AsyncIterable<string> {
  let after = ''
  for (let isLast = false; !isLast;) {
    const { rows } = await sql<{ hash: string }>`select m.hash from media m
      where m.hash > ${after} and ${isDue} order by m.hash limit ${BATCH}`.execute(db)
    for (const { hash } of rows) {
      if (signal.aborted) return
      yield hash
      after = hash
    }
    isLast = rows.length < BATCH
  }
}

/**
 * The row is deleted first and stays locked until the files are deleted: an upload of the same image waits and then stores
 * it again. After a crash in between, the row is back and the next sweep retries.
 */
async function removeImage({ db, store }: SweepContext, hash: string, isDue: RawBuilder<unknown>): Promise<boolean> {
  try {
    return await db.transaction().execute(async (trx) => {
      const { numAffectedRows } = await sql`delete from media m where m.hash = ${hash} and ${isDue}`.execute(trx)
      if (numAffectedRows !== 1n) return false
      await removeFiles(store, hash)
      return true
    })
  } catch (error) {
    // The image came into use after it was selected.
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

/** Waits for every removal: one still running after a rollback would delete a file that is in use again. */
async function removeFiles(store: MediaStore, hash: string): Promise<void> {
  const results = await Promise.allSettled(mediaNames(hash).map((name) => store.remove(name)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

interface Use {
  table: string
  column: string
}

/** SQL conditions. `m` is media. */
export interface Uses {
  isUsed: RawBuilder<unknown>
  isUnused: RawBuilder<unknown>
}

/** Reads the columns that reference media from the database catalog, so that new columns are covered. */
async function findUses(db: Database): Promise<Uses> {
  const { rows } = await sql<Use>`
    select t.relname as "table", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'media'::regclass and c.conparentid = 0
    order by 1, 2`.execute(db)
  const uses = rows.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.id(table)} u where u.${sql.id(column)} = m.hash)`,
  )
  return {
    isUsed: sql.join([sql`false`, ...uses], sql` or `),
    isUnused: sql.join([sql`true`, ...uses.map((use) => sql`not ${use}`)], sql` and `),
  }
}

/** A temporary file that a crash left behind. */
const TEMPORARY = /^[0-9a-f]{64}(-card)?\.webp\.[0-9a-f]{12}$/

/** Returns the number of files. */
async function removeOrphanedFiles(context: SweepContext): Promise<number> {
  const { rows } = await sql<{ limit: Date }>`select now() - ${UNUSED_RETENTION}::interval as "limit"`.execute(
    context.db,
  )
  const limit = rows[0]?.limit ?? new Date(0)
  let removed = 0
  for await (const files of context.store.list()) {
    if (context.signal.aborted) break
    const old = files.filter(({ changedAt }) => changedAt < limit)
    for (const { name } of old.filter((file) => TEMPORARY.test(file.name))) {
      await context.store.remove(name)
      removed++
    }
    for (const hash of await findUnknown(context.db, old)) removed += await removeOrphan(context, hash)
  }
  return removed
}

async function findUnknown(db: Database, files: StoredFile[]): Promise<Set<string>> {
  const hashes = new Set(files.map(({ name }) => readHash(name)).filter((hash) => hash !== undefined))
  if (hashes.size === 0) return hashes
  const { rows } = await sql<{ hash: string }>`select hash from media where hash = any(${[...hashes]})`.execute(db)
  for (const { hash } of rows) hashes.delete(hash)
  return hashes
}

/** The row makes a concurrent upload of the image wait until the files are deleted: uploads write rows before files. */
async function removeOrphan({ db, store }: SweepContext, hash: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const claimed = await trx
      .insertInto('media')
      .values({ hash, width: 1, height: 1 })
      .onConflict((on) => on.doNothing())
      .returning('hash')
      .executeTakeFirst()
    if (!claimed) return 0
    await removeFiles(store, hash)
    await trx.deleteFrom('media').where('hash', '=', hash).execute()
    return 1
  })
}
