import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { nameAgain } from './keep.ts'
import { hashOfPath } from './names.ts'
import { unreadable } from './process.ts'
import type { MediaStore } from './store.ts'

const DATA_URL = /^data:image\/[a-z0-9.+-]{1,40};base64,/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const LONGEST_START = 80

export const imageTooLarge = () =>
  new AppError('image_too_large', 413, 'Image too large. Please use an image under ~3MB (or ~4MB base64).')

/** The bytes of a data URL. Throws AppError `bad_image` or `image_too_large`. */
export function readDataUrl(text: string): Buffer {
  const start = DATA_URL.exec(text.slice(0, LONGEST_START))?.[0]
  if (start === undefined) throw unreadable()
  const base64 = text.slice(start.length)
  if (base64.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) throw imageTooLarge()
  if (!BASE64.test(base64)) throw unreadable()
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MAX_IMAGE_BYTES) throw imageTooLarge()
  return bytes
}

type Keep = (db: Database, store: MediaStore, bytes: Buffer) => Promise<string>

/**
 * The hash of an image as a form gives it: a data URL, which is kept, or the address of one that is here. Empty text and
 * null are no image. Throws AppError `bad_image` or `image_too_large`.
 */
export async function readGivenImage(
  db: Database,
  store: MediaStore,
  given: string | null,
  keep: Keep,
): Promise<string | null> {
  if (!given) return null
  const hash = given.length < LONGEST_START * 2 ? hashOfPath(given) : undefined
  if (hash === undefined) return keep(db, store, readDataUrl(given))
  if (!(await nameAgain(db, store, hash))) throw unreadable()
  return hash
}
