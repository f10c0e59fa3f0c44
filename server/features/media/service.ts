// An image is kept once under the hash of what was sent, re-encoded in a card size and a full size, and never changes.
// Nothing that is used is ever removed; what nothing uses goes after a day.
import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { openFileStore } from './file-store.ts'
import { findFormat } from './format.ts'
import { readGivenImage } from './given-image.ts'
import { keep } from './keep.ts'
import { unreadable } from './process.ts'
import { openS3Store } from './s3-store.ts'
import type { MediaStore } from './store.ts'

export { mediaPath } from './names.ts'
export type { MediaStore } from './store.ts'
export { MediaSweep } from './sweep.ts'

/** Storage that speaks S3 where it is set, else files in the data folder. */
export function openMediaStore({ mediaS3, dataDir }: Pick<Config, 'mediaS3' | 'dataDir'>): MediaStore {
  return mediaS3 ? openS3Store(mediaS3) : openFileStore(path.join(dataDir, 'media'))
}

/**
 * Keeps an image that somebody gave and returns its hash. Throws AppError `bad_image` for all but PNG, JPEG, WebP, GIF
 * and AVIF of at most 25 megapixels, `busy` when too many are waiting, `media_away` when the store cannot be reached.
 */
export async function keepImage(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  const format = findFormat(bytes)
  if (!format) throw unreadable()
  return keep(db, store, bytes, format)
}

/**
 * The hash of an image as a form gives it: a data URL, which is kept, or the address of one that is here; null for none.
 * Throws what `keepImage` throws, and AppError `image_too_large`.
 */
export function keepGivenImage(db: Database, store: MediaStore, given: string | null): Promise<string | null> {
  return readGivenImage(db, store, given, keepImage)
}

/** The same for an SVG which this site drew itself. Never for what came from outside. */
export function keepDrawing(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  return keep(db, store, bytes, 'svg')
}
