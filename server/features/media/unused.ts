import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { mediaNames } from './names.ts'
import type { MediaStore } from './store.ts'
import { findUses, type Uses } from './uses.ts'

export interface SweepParts {
  db: Database
  store: MediaStore
  /** Ends the sweep after the image at hand. */
  signal: AbortSignal
}

/** How long an image stays that nothing uses. */
export const SPARED = '1 day'
const BATCH = 500
/** One image that cannot be removed holds up no other; a store that is away ends the sweep. */
const MOST_FAILURES = 5
/** All images, a part at a time by their first two digits: no statement is long, however many there are. */
const SLICES = Array.from({ length: 256 }, (_, n) => ({ from: toHex(n), to: n < 255 ? toHex(n + 1) : 'g' }))
const FOREIGN_KEY_VIOLATION = '23503'

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** Removes the images that nothing has used for a day, files and rows, and tells how many. */
export async function removeUnused(parts: SweepParts): Promise<number> {
  const uses = await findUses(parts.db)
  await noteUses(parts, uses)
  const isDue = sql`m.unused_since < now() - ${SPARED}::interval and ${uses.isUnused}`
  const failures: unknown[] = []
  let removed = 0
  for await (const hash of listDue(parts, isDue)) {
    try {
      if (await removeImage(parts, hash, isDue)) removed++
    } catch (error) {
      failures.push(error)
      if (failures.length >= MOST_FAILURES) break
    }
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

/** Starts the day of what lost its last use and ends that of what found one. */
async function noteUses({ db, signal }: SweepParts, { isUsed, isUnused }: Uses): Promise<void> {
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
      await Promise.all(mediaNames(hash).map((name) => store.remove(name)))
      return true
    })
  } catch (error) {
    // Somebody began to use it while we looked.
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}
