// An image is kept once under the hash of what was sent, re-encoded in a card size and a full size, and never changes.
// Nothing that is used is ever removed; what nothing uses goes after a day.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { findFormat, type ImageFormat, processImage, unreadableImage } from './process.ts'
import { hashOfPath, mediaNames, type MediaStore, openFileStore, openS3Store } from './store.ts'

/** Storage that speaks S3 where it is set, else files in the data folder. */
export function openMediaStore({ mediaS3, dataDir }: Pick<Config, 'mediaS3' | 'dataDir'>): MediaStore {
  return mediaS3 ? openS3Store(mediaS3) : openFileStore(path.join(dataDir, 'media'))
}

/**
 * Keeps an image that somebody gave and returns its hash. Throws AppError `bad_image` for all but PNG, JPEG, WebP, GIF
 * and AVIF of at most 25 megapixels, `busy` when too many are waiting, `media_away` when the store cannot be reached.
 */
export async function storeImage(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  const format = findFormat(bytes)
  if (!format) throw unreadableImage()
  return storeAs(db, store, bytes, format)
}

/**
 * The hash of an image as a form gives it: a data URL, which is kept, or the address of one that is here; null for none.
 * Throws what `keepImage` throws, and AppError `image_too_large`.
 */
export function storeImageInput(db: Database, store: MediaStore, given: string | null): Promise<string | null> {
  return parseImageInput(db, store, given, storeImage)
}

/** Like `storeImageInput`, for a form: errors of the input name the field. */
export async function storeImageField(
  db: Database,
  store: MediaStore,
  field: string,
  input: string | null,
): Promise<string | null> {
  try {
    return await storeImageInput(db, store, input)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new AppError(error.code, error.status, error.message, { fields: { [field]: error.message } })
  }
}

/** The same for an SVG which this site drew itself. Never for what came from outside. */
export function storeDrawing(db: Database, store: MediaStore, bytes: Buffer): Promise<string> {
  return storeAs(db, store, bytes, 'svg')
}

/**
 * Keeps an image and gives its hash. The same bytes sent again are neither decoded nor stored again, unless their files
 * are missing. The row comes before the files: from then on the sweep leaves both alone for a day.
 */
async function storeAs(db: Database, store: MediaStore, bytes: Buffer, format: ImageFormat | 'svg'): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (await touchImage(db, store, hash)) return hash
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
async function touchImage(db: Database, store: MediaStore, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ unused_since: sql`now()` })
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const found = await Promise.all(mediaNames(hash).map((name) => store.has(name)))
  return found.every(Boolean)
}

const DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const MAX_PREFIX_LENGTH = 80

export const imageTooLarge = () =>
  new AppError('image_too_large', 413, 'Image too large. Please use an image under ~3MB (or ~4MB base64).')

/** The bytes of a data URL. Throws AppError `bad_image` or `image_too_large`. */
function parseDataUrl(text: string): Buffer {
  const start = DATA_URL.exec(text.slice(0, MAX_PREFIX_LENGTH))?.[0]
  if (start === undefined) throw unreadableImage()
  const base64 = text.slice(start.length)
  if (base64.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) throw imageTooLarge()
  if (!BASE64.test(base64)) throw unreadableImage()
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MAX_IMAGE_BYTES) throw imageTooLarge()
  return bytes
}

type Keep = (db: Database, store: MediaStore, bytes: Buffer) => Promise<string>

/**
 * The hash of an image as a form gives it: a data URL, which is kept, or the address of one that is here. Empty text and
 * null are no image. Throws AppError `bad_image` or `image_too_large`.
 */
async function parseImageInput(
  db: Database,
  store: MediaStore,
  given: string | null,
  keep: Keep,
): Promise<string | null> {
  if (!given) return null
  const hash = given.length < MAX_PREFIX_LENGTH * 2 ? hashOfPath(given) : undefined
  if (hash === undefined) return keep(db, store, parseDataUrl(given))
  if (!(await touchImage(db, store, hash))) throw unreadableImage()
  return hash
}
