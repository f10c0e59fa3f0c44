import type { Database } from '#server/db/database.ts'
import { storeImageInput } from '#server/features/media/upload.ts'
import type { MediaStore } from '#server/features/media/store.ts'
import { AppError } from '#server/http/errors.ts'

/**
 * The hash of a cover as a form gives it, null for none. Outside of any transaction: decoding takes long. Throws AppError
 * `bad_image` or `image_too_large` that names the field.
 */
export async function keepCover(db: Database, store: MediaStore, given: string | null): Promise<string | null> {
  try {
    return await storeImageInput(db, store, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new AppError(error.code, error.status, error.message, { fields: { image: error.message } })
  }
}
