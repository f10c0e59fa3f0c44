import pLimit, { type LimitFunction } from 'p-limit'
import sharp, { type SharpOptions } from 'sharp'
import { AppError } from '#server/http/errors.ts'

/** Maximum size of a decoded image; a small file can claim far more. */
const MAX_PIXELS = 25_000_000
const FULL_WIDTH = 1280
const CARD_WIDTH = 480
/** The largest image in the slowest format takes about a third of this on one slow core. */
const MAX_SECONDS = 20
const MAX_WAITING = 16

/** The formats that members may upload, as libvips names them. */
type UploadFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif'
export type ImageFormat = UploadFormat | 'svg'

interface ProcessedImage {
  full: Buffer
  card: Buffer
  width: number
  height: number
}

type Encode = (bytes: Buffer, format: ImageFormat) => Promise<ProcessedImage>

export interface ProcessorOptions {
  /** Images that are processed at a time. */
  concurrency: number
  /** Images that may wait for their turn. */
  maxWaiting?: number
  encode?: Encode
}

export const unreadableImage = () => new AppError('bad_image', 400, 'This image could not be read. Try another file.')

const busy = () =>
  new AppError('busy', 503, 'Many images are being uploaded right now. Please try again in a moment.', {
    retryAfter: 5,
  })

/** Re-encodes images, a few at a time in the order of their arrival: decoding is the heaviest work of the server. */
export class ImageProcessor {
  readonly #limit: LimitFunction
  readonly #capacity: number
  readonly #encode: Encode

  /** Also configures libvips, for the whole process: one thread per image, no cache. */
  constructor({ concurrency, maxWaiting = MAX_WAITING, encode = encodeSizes }: ProcessorOptions) {
    sharp.concurrency(1)
    sharp.cache(false)
    this.#limit = pLimit(concurrency)
    this.#capacity = concurrency + maxWaiting
    this.#encode = encode
  }

  /** Throws AppError `busy` if too many images are waiting. Call it before reading an image into memory. */
  requireCapacity(): void {
    if (this.#limit.activeCount + this.#limit.pendingCount >= this.#capacity) throw busy()
  }

  /**
   * Decodes the first frame, applies its orientation, drops all metadata and encodes both sizes as WebP. Throws AppError
   * `bad_image` if the image doesn't have this format or has more than 25 megapixels, `busy` if too many are waiting.
   */
  async process(bytes: Buffer, format: ImageFormat): Promise<ProcessedImage> {
    this.requireCapacity()
    return this.#limit(this.#encode, bytes, format)
  }
}

async function encodeSizes(bytes: Buffer, format: ImageFormat): Promise<ProcessedImage> {
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' }
  try {
    // Reads the header only. libvips detects the format; a file that it takes for another format is rejected.
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

const SIGNATURE_BYTES = 64

/** Tests of the first bytes. File names and declared types are not trusted. */
const SIGNATURES: Record<UploadFormat, (start: string) => boolean> = {
  png: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (start) => start.startsWith('\xff\xd8\xff'),
  gif: (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  webp: (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
  // AVIF: the first box lists compatible formats.
  heif: (start) => start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8)),
}

/** The format of an uploaded image: PNG, JPEG, WebP, GIF or AVIF. Not SVG: it can contain scripts. */
export function findFormat(bytes: Buffer): UploadFormat | undefined {
  const start = bytes.subarray(0, SIGNATURE_BYTES).toString('latin1')
  return (Object.keys(SIGNATURES) as UploadFormat[]).find((format) => SIGNATURES[format](start))
}
