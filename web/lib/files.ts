import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'

const urls = new WeakMap<Blob, string>()

/** An object URL for showing a file. Each file gets one, which lasts as long as the page. */
export function objectUrl(file: Blob): string {
  const known = urls.get(file)
  if (known !== undefined) return known
  const url = URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

/** Statuses of errors that are about the image itself. */
const IMAGE_ERRORS = new Set([400, 413, 415])

/**
 * Uploads an image for a field of a form and returns its URL, which forms send in place of the image. If the image is
 * rejected, the error names the field.
 */
export async function uploadImage(api: Api, field: string, image: Blob): Promise<string> {
  // Read first, so that a file that cannot be read is not reported as a failed request.
  const bytes = await image.arrayBuffer()
  try {
    const { url } = await api.upload<{ url: string }>('/media', new Blob([bytes], { type: image.type }))
    return url
  } catch (error) {
    if (!(error instanceof ApiError) || !IMAGE_ERRORS.has(error.status)) throw error
    throw new ApiError(error.status, error.message, {
      error: error.message,
      code: error.code,
      fields: { [field]: error.message },
    })
  }
}
