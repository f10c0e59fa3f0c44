import cluster from 'node:cluster'
import sharp from 'sharp'
import type { SharpOptions } from 'sharp'
import { AppError } from '#server/http/errors.ts'
import { openSlots } from './slots.ts'

/** What one picture may hold once decoded; a small file can claim far more. */
const MAX_PIXELS = 25_000_000
const FULL_WIDTH = 1280
const CARD_WIDTH = 480
/** The largest picture of the slowest format takes a third of it on one slow core. */
const MAX_SECONDS = 20
const MAX_WAITING = 16

interface ProcessedImage {
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

export const unreadableImage = () => new AppError('bad_image', 400, 'This image could not be read. Try another file.')

/** Throws AppError `busy` when no image can be taken now: asked before one is read into memory. */
export const requireRoom = slots.requireRoom

/**
 * Decodes one frame, turns it upright, drops all metadata and encodes WebP in both sizes.
 * Throws AppError `bad_image` for what is not of this format or holds more than 25 megapixels, `busy` when too many wait.
 */
export function processImage(bytes: Buffer, format: ImageFormat | 'svg'): Promise<ProcessedImage> {
  return slots.run(() => decode(bytes, format))
}

async function decode(bytes: Buffer, format: ImageFormat | 'svg'): Promise<ProcessedImage> {
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' }
  try {
    // Only the header is read here. The decoder chooses by its own look at the bytes, which has to be ours.
    const header = await sharp(bytes, options).metadata()
    if (header.format !== format || header.width * header.height > MAX_PIXELS) throw unreadableImage()
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: FULL_WIDTH, height: FULL_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer({ resolveWithObject: true })
    const card = await sharp(data)
      .resize({ width: CARD_WIDTH, height: CARD_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer()
    return { full: data, card, width: info.width, height: info.height }
  } catch {
    throw unreadableImage()
  }
}

const START_BYTES = 64

/** The formats that members may give, as the decoder names them. */
export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif'

/** What a file is by its first bytes; its name and its declared type tell nothing. */
const TESTS: Record<ImageFormat, (start: string) => boolean> = {
  png: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (start) => start.startsWith('\xff\xd8\xff'),
  gif: (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  webp: (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
  // AVIF: the box that opens the file names the formats it fits.
  heif: (start) => start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8)),
}

/** The format of a picture that members may give: PNG, JPEG, WebP, GIF or AVIF. SVG is a program, not a picture. */
export function findFormat(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.subarray(0, START_BYTES).toString('latin1')
  return (Object.keys(TESTS) as ImageFormat[]).find((format) => TESTS[format](start))
}
