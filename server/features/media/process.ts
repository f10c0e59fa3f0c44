import cluster from 'node:cluster'
import sharp, { type SharpOptions } from 'sharp'
import { AppError } from '#server/http/errors.ts'
import type { PictureFormat } from './format.ts'
import { openSlots } from './slots.ts'

/** What one picture may hold once decoded; a small file can claim far more. */
const MAX_PIXELS = 25_000_000
const FULL_WIDTH = 1280
const CARD_WIDTH = 480
/** The largest picture of the slowest format takes a third of it on one slow core. */
const LONGEST_SECONDS = 20
const MAX_WAITING = 16

export interface ProcessedImage {
  full: Buffer
  card: Buffer
  width: number
  height: number
}

// Decoding is the site's heaviest work: two at a time, a thread each, leave room for everything else. Of several
// processes each takes one.
sharp.concurrency(1)
sharp.cache(false)
const slots = openSlots({
  running: cluster.isWorker ? 1 : 2,
  waiting: MAX_WAITING,
  refuse: () =>
    new AppError('busy', 503, 'Many images are being uploaded right now. Please try again in a moment.', {
      retryAfter: 5,
    }),
})

export const unreadable = () => new AppError('bad_image', 400, 'This image could not be read. Try another file.')

/** Throws AppError `busy` when no image can be taken now: asked before one is read into memory. */
export const requireRoom = slots.requireRoom

/**
 * Decodes one frame, turns it upright, drops all metadata and encodes WebP in both sizes.
 * Throws AppError `bad_image` for what is not of this format or holds more than 25 megapixels, `busy` when too many wait.
 */
export function processImage(bytes: Buffer, format: PictureFormat | 'svg'): Promise<ProcessedImage> {
  return slots.run(() => decode(bytes, format))
}

async function decode(bytes: Buffer, format: PictureFormat | 'svg'): Promise<ProcessedImage> {
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' }
  try {
    // Only the header is read here. The decoder chooses by its own look at the bytes, which has to be ours.
    const header = await sharp(bytes, options).metadata()
    if (header.format !== format || header.width * header.height > MAX_PIXELS) throw unreadable()
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: FULL_WIDTH, height: FULL_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: LONGEST_SECONDS })
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
