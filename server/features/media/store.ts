import { AppError } from '#server/http/errors.ts'

export interface StoredFile {
  name: string
  changedAt: Date
}

/**
 * Where the bytes of images are. Names are hashes with an ending, never anything a visitor made up. A store that cannot
 * be reached throws AppError `media_away`, after seconds and not minutes.
 */
export interface MediaStore {
  /** Whole or not at all; over a file of the same name. */
  put(name: string, bytes: Buffer): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Everything that is here, some at a time, and what a crash left half written. */
  list(): AsyncIterable<StoredFile[]>
}

/** The cause is for the log alone. */
export const mediaAway = (cause: unknown) =>
  new AppError('media_away', 503, 'Images cannot be reached right now. Please try again in a moment.', {
    retryAfter: 5,
    cause,
  })
