import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { hashOfName, mediaNames } from './names.ts'
import type { StoredFile } from './store.ts'
import { SPARED, type SweepParts } from './unused.ts'

/** A file that a crash left half written; nothing ever reads it. */
const DRAFT = /^[0-9a-f]{64}(-card)?\.webp\.[0-9a-f]{12}$/

/** Removes files without a row that are older than a day, and tells how many. Other things in the store stay. */
export async function removeOrphans(parts: SweepParts): Promise<number> {
  const { rows } = await sql<{ limit: Date }>`select now() - ${SPARED}::interval as "limit"`.execute(parts.db)
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
  const hashes = new Set(files.map(({ name }) => hashOfName(name)).filter((hash) => hash !== undefined))
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
