import { ApiError, stringIn } from '#web/lib/api-error.ts'

const TOO_LARGE = 413

/** What to say of a profile that could not be saved. */
export function describeSaveError(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return 'Failed to update profile. Please try again.'
  if (error.status === TOO_LARGE) return 'Image too large. Please use an image under ~3MB (or ~4MB base64).'
  return stringIn(error.body, 'error') ?? 'Failed to update profile.'
}
