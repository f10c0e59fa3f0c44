import { MAX_IMAGE_BYTES } from '#contract/limits.ts'

/** Why a file cannot be a picture here, undefined when it can. What it really is, the server finds out. */
export function validateImage(file: { type: string; size: number }): string | undefined {
  if (!file.type.startsWith('image/')) return 'Please select an image file.'
  return file.size > MAX_IMAGE_BYTES ? 'Image must be smaller than ~3MB' : undefined
}
