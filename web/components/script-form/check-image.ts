import { MAX_IMAGE_BYTES } from '#contract/limits.ts'

export const isImage = (file: Blob): boolean => file.type.startsWith('image/')
export const isTooLarge = (file: Blob): boolean => file.size > MAX_IMAGE_BYTES
