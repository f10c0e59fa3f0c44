/** Media types of images that the site reads, for the `accept` attribute. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

export const isSupportedImage = ({ type }: { type: string }): boolean => IMAGE_TYPES.split(',').includes(type)
