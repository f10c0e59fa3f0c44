import { createHash } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Owner } from '#server/platform/http/fair-queue.ts'
import { atField } from '#server/platform/http/field-errors.ts'
import { chargeUpload, type UploadQuota } from './upload-quota.ts'
import {
  findFormat,
  ImageProcessor,
  type ProcessedImage,
  type ProcessorOptions,
  unreadableImage,
  unsupportedImage,
} from './process.ts'
import { hashOfPath, mediaNames, type MediaStore, openFileStore, openS3Store } from './store.ts'

export interface MediaLibrary {
  store: MediaStore
  processor: ImageProcessor
  quota: UploadQuota
}

export function openMedia(
  { mediaS3, dataDir, uploadBytesPerDay }: Pick<Config, 'mediaS3' | 'dataDir' | 'uploadBytesPerDay'>,
  options: ProcessorOptions,
): MediaLibrary {
  const store = mediaS3 ? openS3Store(mediaS3) : openFileStore(path.join(dataDir, 'media'))
  return { store, processor: new ImageProcessor(options), quota: { bytesPerDay: uploadBytesPerDay } }
}

/** Returns the SHA-256 of the upload. Throws AppError `bad_image`, `busy`, `too_many_images`, `upload_quota`, `media_away`. */
export async function storeImage(db: Database, media: MediaLibrary, bytes: Buffer, uploader: Owner): Promise<string> {
  const { store, processor, quota } = media
  const format = findFormat(bytes)
  if (!format) throw unsupportedImage()
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (await touchImage(db, store, hash)) return hash
  const image = await processor.process(bytes, format, uploader)
  await chargeUpload(db, quota, uploader, bytes.length)
  await addImage(db, store, hash, image)
  return hash
}

/** The row is written before the files: from then on, the sweep spares both for a day. */
export async function addImage(db: Database, store: MediaStore, hash: string, image: ProcessedImage): Promise<void> {
  const { full, card, width, height } = image
  await db
    .insertInto('media')
    .values({ hash, width, height })
    // Waits if the sweep is removing this image.
    .onConflict((on) => on.column('hash').doUpdateSet({ unused_since: sql`now()` }))
    .execute()
  const [fullName, cardName] = mediaNames(hash)
  await Promise.all([store.put(fullName, full), store.put(cardName, card)])
}

interface ImageInput {
  /** The form's field, named by errors. */
  field: string
  /** A data URL, the path of a stored image, or nothing. */
  input: string | null
  uploader: Owner
}

/**
 * The hash of the image; null for null and empty text. Takes long, so call it outside of transactions. Throws what
 * `storeImage` throws, and AppError `image_too_large`; errors name the field.
 */
export async function storeImageInput(
  db: Database,
  media: MediaLibrary,
  { field, input, uploader }: ImageInput,
): Promise<string | null> {
  if (!input) return null
  try {
    const hash = input.length < MAX_PATH_LENGTH ? hashOfPath(input) : undefined
    if (hash === undefined) return await storeImage(db, media, parseDataUrl(input), uploader)
    if (!(await touchImage(db, media.store, hash))) throw unreadableImage()
    return hash
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 400 && error.status !== 413)) throw error
    throw atField(field, error)
  }
}

/**
 * Protects the image from the sweep for another day; waits if the sweep is removing it. Returns false if the image or one of
 * its files doesn't exist: a crash can leave a row without files.
 */
export async function touchImage(db: Database, store: MediaStore, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ unused_since: sql`now()` })
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const arePresent = await Promise.all(mediaNames(hash).map((name) => store.has(name)))
  return arePresent.every(Boolean)
}

const DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const MAX_PREFIX_LENGTH = 80
const MAX_PATH_LENGTH = 160

export const imageTooLarge = () =>
  new AppError('image_too_large', 413, 'Image too large. Please use an image under ~3MB (or ~4MB base64).')

/** The bytes of a data URL. Throws AppError `bad_image` or `image_too_large`. */
function parseDataUrl(text: string): Buffer {
  const prefix = DATA_URL.exec(text.slice(0, MAX_PREFIX_LENGTH))?.[0]
  if (prefix === undefined) throw unreadableImage()
  const base64 = text.slice(prefix.length)
  if (base64.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) throw imageTooLarge()
  if (!BASE64.test(base64)) throw unreadableImage()
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MAX_IMAGE_BYTES) throw imageTooLarge()
  return bytes
}
