import sharp from 'sharp'
import { AppError } from '#server/http/errors.ts'
import { openSlots } from './slots.ts'

/** What one picture may hold once decoded; a small file can claim far more. */
const MAX_PIXELS = 25_000_000
const FULL_WIDTH = 1280
const CARD_WIDTH = 480

export interface ProcessedImage {
  full: Buffer
  card: Buffer
  width: number
  height: number
}

// Decoding is the site's heaviest work: two at a time, a thread each, leave room for everything else.
sharp.concurrency(1)
sharp.cache(false)
const inTurn = openSlots(2)

export const unreadable = () => new AppError('bad_image', 400, 'This image could not be read. Try another file.')

/**
 * Decodes one frame, turns it upright, drops all metadata and encodes WebP in both sizes.
 * Throws AppError `bad_image` for what is no image or holds more than 25 megapixels.
 */
export function processImage(bytes: Buffer): Promise<ProcessedImage> {
  return inTurn(() => decode(bytes))
}

async function decode(bytes: Buffer): Promise<ProcessedImage> {
  try {
    const upright = sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' }).autoOrient()
    const { data, info } = await upright
      .resize({ width: FULL_WIDTH, height: FULL_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    const card = await sharp(data)
      .resize({ width: CARD_WIDTH, height: CARD_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer()
    return { full: data, card, width: info.width, height: info.height }
  } catch {
    throw unreadable()
  }
}
