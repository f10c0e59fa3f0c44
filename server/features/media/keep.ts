import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { PictureFormat } from './format.ts'
import { mediaNames } from './names.ts'
import { processImage } from './process.ts'
import type { MediaStore } from './store.ts'

/**
 * Keeps an image and gives its hash. The same bytes sent again are neither decoded nor stored again, unless their files
 * are missing. The row comes before the files: from then on the sweep leaves both alone for a day.
 */
export async function keep(
  db: Database,
  store: MediaStore,
  bytes: Buffer,
  format: PictureFormat | 'svg',
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (await nameAgain(db, store, hash)) return hash
  const { full, card, width, height } = await processImage(bytes, format)
  await db
    .insertInto('media')
    .values({ hash, width, height })
    // Waits where the sweep is removing this very image.
    .onConflict((on) => on.column('hash').doUpdateSet({ unused_since: sql`now()` }))
    .execute()
  const [fullName, cardName] = mediaNames(hash)
  await Promise.all([store.put(fullName, full), store.put(cardName, card)])
  return hash
}

/**
 * Notes that somebody wants this image, so that it stays for a day at least, and waits where the sweep is removing it.
 * False when it is not here, or not with all its files: a crash can leave a row without them.
 */
export async function nameAgain(db: Database, store: MediaStore, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ unused_since: sql`now()` })
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const found = await Promise.all(mediaNames(hash).map((name) => store.has(name)))
  return found.every(Boolean)
}
