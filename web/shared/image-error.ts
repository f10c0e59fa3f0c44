import { MAX_IMAGE_BYTES, UNSUPPORTED_IMAGE } from '#contract/limits.ts'
import { isSupportedImage } from '#web/ui/image-types.ts'

/** Messages for images that are rejected. The upload page and the edit form word them differently. */
export interface ImageMessages {
  notAnImage: string
  tooLarge: string
}

export const coverMessages: ImageMessages = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image too large. Please use an image under ~3MB.',
}

/** The reason why an image file is rejected, or undefined. */
export function imageError(file: Blob, messages: ImageMessages): string | undefined {
  if (!file.type.startsWith('image/')) return messages.notAnImage
  if (!isSupportedImage(file)) return UNSUPPORTED_IMAGE
  return file.size > MAX_IMAGE_BYTES ? messages.tooLarge : undefined
}
