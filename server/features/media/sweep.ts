import type { FastifyBaseLogger } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { mediaNames, type MediaStore, readHash, type StoredFile } from './store.ts'

/** Looking through the whole store is for the first sweep and every so many after it. */
const ORPHANS_EVERY = 24

/**
 * Removes what nothing uses. Each image is decided in the database on its own, so several processes may sweep at once
 * and uploads go on meanwhile.
 */
export class MediaSweep {
  readonly #db: Database
  readonly #store: MediaStore
  readonly #log: FastifyBaseLogger
  readonly #stopping = new AbortController()
  #count = 0

  constructor(db: Database, store: MediaStore, log: FastifyBaseLogger) {
    this.#db = db
    this.#store = store
    this.#log = log
  }

  /** Sweeps once. Throws the first of what failed, which is left for the next time. */
  async run(): Promise<void> {
    const parts = { db: this.#db, store: this.#store, signal: this.#stopping.signal }
    const images = await removeUnused(parts)
    const files = this.#count++ % ORPHANS_EVERY === 0 ? await removeOrphanedFiles(parts) : 0
    if (images + files > 0) this.#log.info({ images, files }, 'unused images removed')
  }

  /** Ends what is under way after the image at hand. */
  stop(): void {
    this.#stopping.abort()
  }
}

interface SweepParts {
  db: Database
  store: MediaStore
  /** Ends the sweep after the image at hand. */
  signal: AbortSignal
}

/** How long an image stays that nothing uses. */
const UNUSED_RETENTION = '1 day'
const BATCH = 500
/** One image that cannot be removed holds up no other; a store that is away ends the sweep. */
const MAX_FAILURES = 5
/** All images, a part at a time by their first two digits: no statement is long, however many there are. */
const SLICES = Array.from({ length: 256 }, (_, n) => ({ from: toHex(n), to: n < 255 ? toHex(n + 1) : 'g' }))
const FOREIGN_KEY_VIOLATION = '23503'

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** Removes the images that nothing has used for a day, files and rows, and tells how many. */
export async function removeUnused(parts: SweepParts): Promise<number> {
  const uses = await findUses(parts.db)
  await updateUnusedSince(parts, uses)
  const isDue = sql`m.unused_since < now() - ${UNUSED_RETENTION}::interval and ${uses.isUnused}`
  const failures: unknown[] = []
  let removed = 0
  for await (const hash of listDue(parts, isDue)) {
    try {
      if (await removeImage(parts, hash, isDue)) removed++
    } catch (error) {
      failures.push(error)
      if (failures.length >= MAX_FAILURES) break
    }
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

/** Starts the day of what lost its last use and ends that of what found one. */
async function updateUnusedSince({ db, signal }: SweepParts, { isUsed, isUnused }: Uses): Promise<void> {
  await sql`update media m set unused_since = null where m.unused_since is not null and (${isUsed})`.execute(db)
  for (const { from, to } of SLICES) {
    if (signal.aborted) return
    await sql`update media m set unused_since = now()
      where m.hash >= ${from} and m.hash < ${to} and m.unused_since is null and ${isUnused}`.execute(db)
  }
}

async function* listDue({ db, signal }: SweepParts, isDue: RawBuilder<unknown>): AsyncIterable<string> {
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
 * The row goes first but stays locked until the files are gone: who names the image meanwhile waits and then keeps it
 * anew. A crash in between brings the row back, and the next sweep finds it again.
 */
async function removeImage({ db, store }: SweepParts, hash: string, isDue: RawBuilder<unknown>): Promise<boolean> {
  try {
    return await db.transaction().execute(async (trx) => {
      const { numAffectedRows } = await sql`delete from media m where m.hash = ${hash} and ${isDue}`.execute(trx)
      if (numAffectedRows !== 1n) return false
      // Wait for every removal: one still running after a rollback would take a file that is in use again.
      const results = await Promise.allSettled(mediaNames(hash).map((name) => store.remove(name)))
      for (const result of results) if (result.status === 'rejected') throw result.reason
      return true
    })
  } catch (error) {
    // Somebody began to use it while we looked.
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

interface Use {
  table: string
  column: string
}

/** Conditions on a row of media called m. */
export interface Uses {
  isUsed: RawBuilder<unknown>
  isUnused: RawBuilder<unknown>
}

/** Every column that names media, as the schema itself says: a new one is never forgotten. */
async function findUses(db: Database): Promise<Uses> {
  const { rows } = await sql<Use>`
    select t.relname as "table", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'media'::regclass and c.conparentid = 0
    order by 1, 2`.execute(db)
  const found = rows.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.id(table)} u where u.${sql.id(column)} = m.hash)`,
  )
  return {
    isUsed: sql.join([sql`false`, ...found], sql` or `),
    isUnused: sql.join([sql`true`, ...found.map((use) => sql`not ${use}`)], sql` and `),
  }
}

/** A file that a crash left half written; nothing ever reads it. */
const DRAFT = /^[0-9a-f]{64}(-card)?\.webp\.[0-9a-f]{12}$/

/** Removes files without a row that are older than a day, and tells how many. Other things in the store stay. */
async function removeOrphanedFiles(parts: SweepParts): Promise<number> {
  const { rows } = await sql<{ limit: Date }>`select now() - ${UNUSED_RETENTION}::interval as "limit"`.execute(parts.db)
  const limit = rows[0]?.limit ?? new Date(0)
  let removed = 0
  for await (const files of parts.store.list()) {
    if (parts.signal.aborted) break
    const old = files.filter(({ changedAt }) => changedAt < limit)
    for (const { name } of old.filter((file) => DRAFT.test(file.name))) {
      await parts.store.remove(name)
      removed++
    }
    for (const hash of await findUnknown(parts.db, old)) removed += await removeOrphan(parts, hash)
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

/**
 * Holds the hash with a row of its own while the files go: who gives the same image meanwhile waits, because uploads
 * write their row before their files.
 */
async function removeOrphan({ db, store }: SweepParts, hash: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const claimed = await trx
      .insertInto('media')
      .values({ hash, width: 1, height: 1 })
      .onConflict((on) => on.doNothing())
      .returning('hash')
      .executeTakeFirst()
    if (!claimed) return 0
    await Promise.all(mediaNames(hash).map((name) => store.remove(name)))
    await trx.deleteFrom('media').where('hash', '=', hash).execute()
    return 1
  })
}
