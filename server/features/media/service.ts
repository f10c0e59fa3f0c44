// An image is kept once under the hash of what was sent, re-encoded in a card size and a full size, and never changes.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { isPicture } from './format.ts'
import { readGivenImage } from './given-image.ts'
import { processImage, unreadable } from './process.ts'
import type { MediaStore } from './store.ts'

export { openFileStore } from './file-store.ts'
export type { MediaStore } from './store.ts'

export type MediaSize = 'card' | 'full'

/** The name of an image's file in the store and in its address. */
export function mediaName(hash: string, size: MediaSize): string {
  return size === 'card' ? `${hash}-card.webp` : `${hash}.webp`
}

/** The address of an image, good for ever. */
export function mediaPath(hash: string, size: MediaSize): string {
  return `/media/${mediaName(hash, size)}`
}

/**
 * Keeps an image that somebody gave and returns its hash. The same bytes sent again are neither decoded nor stored again.
 * Throws AppError `bad_image` for all but PNG, JPEG, WebP, GIF and AVIF of at most 25 megapixels.
 */
export async function keepImage(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  if (!isPicture(bytes)) throw unreadable()
  return keepDrawing(db, store, bytes)
}

/**
 * The hash of an image as a form gives it: a data URL, which is kept, or the address of one that is here; null for none.
 * Throws AppError `bad_image` or `image_too_large`.
 */
export function keepGivenImage(db: Database, store: MediaStore, given: string | null): Promise<string | null> {
  return readGivenImage(db, store, given, keepImage)
}

/** The same for what this site drew itself, which may be SVG. Never for what came from outside. */
export async function keepDrawing(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const known = await db
    .updateTable('media')
    .set({ last_named_at: sql`now()` })
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return hash
  const image = await processImage(bytes)
  await store.put(mediaName(hash, 'full'), image.full)
  await store.put(mediaName(hash, 'card'), image.card)
  const { width, height } = image
  await db
    .insertInto('media')
    .values({ hash, width, height })
    .onConflict((on) => on.doNothing())
    .execute()
  return hash
}
