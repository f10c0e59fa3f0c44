import type { default as Sharp, SharpOptions } from 'sharp'
import { UNSUPPORTED_IMAGE } from '#contract/limits.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { FairQueue, type FairQueueOptions, type Owner } from '#server/platform/http/fair-queue.ts'

/** Maximum size of a decoded image; a small file can claim far more. */
const MAX_PIXELS = 25_000_000
/** AVIF takes several times the memory and time of the other formats. */
const MAX_AVIF_PIXELS = 12_000_000
/** Very long rows or columns make resizing slow however few pixels there are. */
const MAX_SIDE = 12_000
/** From this size on an image counts as large: it takes more than half a second and 100 MB. */
const LARGE_PIXELS = 4_000_000
const LARGE_AVIF_PIXELS = 1_000_000
const FULL_WIDTH = 1280
const CARD_WIDTH = 480
/**
 * Below sharp's default of 4, for half the encoding time and files about 3 % larger. Cards, of which a list shows many, use the
 * default.
 */
const FULL_EFFORT = 2
/** The largest image in the slowest format takes about a third of this on one slow core. */
const MAX_SECONDS = 20
const MAX_WAITING = 16

type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif'

export interface ProcessedImage {
  full: Buffer
  card: Buffer
  width: number
  height: number
}

export interface ProcessorOptions {
  concurrency: number
  maxWaiting?: number
}

let loading: Promise<typeof Sharp> | undefined

/** Loads the image library with the first image: many starts never need it. One thread per image, no cache. */
export function loadSharp(): Promise<typeof Sharp> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  }))
}

export const unreadableImage = () => new AppError('bad_image', 400, 'This image could not be read. Try another file.')

export const unsupportedImage = () => new AppError('bad_image', 400, `This file is not supported. ${UNSUPPORTED_IMAGE}`)

const tooManyPixels = (format: ImageFormat) => {
  const kind = format === 'heif' ? 'an AVIF' : 'an image'
  const megapixels = (format === 'heif' ? MAX_AVIF_PIXELS : MAX_PIXELS) / 1_000_000
  const limits = `${MAX_SIDE.toLocaleString('en')} pixels on each side and ${megapixels} megapixels`
  return new AppError('bad_image', 400, `This image is too large. Use ${kind} with at most ${limits}.`)
}

const RETRY = { retryAfter: 5 }

/** Settings of queues of images. */
export const IMAGES: Pick<FairQueueOptions, 'maxPerOwner' | 'errors'> = {
  maxPerOwner: 4,
  errors: {
    busy: () =>
      new AppError('busy', 503, 'Many images are being uploaded right now. Please try again in a moment.', RETRY),
    tooMany: () =>
      new AppError(
        'too_many_images',
        429,
        'Your other images are still being processed. Please try again in a moment.',
        RETRY,
      ),
  },
}

/** Re-encodes images, a few at a time: decoding is the heaviest work of the server. */
export class ImageProcessor {
  readonly #queue: FairQueue

  constructor({ concurrency, maxWaiting = MAX_WAITING }: ProcessorOptions) {
    this.#queue = new FairQueue({ concurrency, maxWaiting, ...IMAGES })
  }

  /** Throws AppError `busy` or `too_many_images`. Call it before reading an image into memory. */
  requireCapacity(uploader: Owner): void {
    this.#queue.requireCapacity(uploader)
  }

  /**
   * Applies the orientation and drops all metadata. Throws AppError `bad_image` if the image doesn't have this format or is too
   * large, and what `requireCapacity` throws. The header decides about the size before the image waits.
   */
  async process(bytes: Buffer, format: ImageFormat, uploader: Owner): Promise<ProcessedImage> {
    this.requireCapacity(uploader)
    const isLarge = await checkHeader(bytes, format)
    return this.#queue.run({ owner: uploader, isLarge }, () => encodeSizes(bytes, format))
  }
}

const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' }
/** Of JPEGs that are cut off, browsers show what there is. */
const optionsOf = (format: ImageFormat): SharpOptions => (format === 'jpeg' ? { ...OPTIONS, failOn: 'none' } : OPTIONS)
/** Frames among which the first visible one is searched. */
const MAX_FRAMES = 20

/** Returns whether it is large. Throws AppError `bad_image`, also if libvips takes the file for another format. */
async function checkHeader(bytes: Buffer, format: ImageFormat): Promise<boolean> {
  const sharp = await loadSharp()
  const header = await sharp(bytes, { ...OPTIONS, limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (header?.format !== format) throw unreadableImage()
  const { width, height } = header
  const isAvif = format === 'heif'
  const isTooLong = Math.max(width, height) > MAX_SIDE
  if (isTooLong || width * height > (isAvif ? MAX_AVIF_PIXELS : MAX_PIXELS)) throw tooManyPixels(format)
  return width * height > (isAvif ? LARGE_AVIF_PIXELS : LARGE_PIXELS)
}

/** The first frame that shows anything: many animations begin with an empty one. Frame 0 if none does. */
async function findFrame(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const { pages = 1, hasAlpha } = await sharp(bytes, OPTIONS).metadata()
  if (!hasAlpha) return 0
  for (let page = 0; page < Math.min(pages, MAX_FRAMES); page++) {
    const { channels } = await sharp(bytes, { ...OPTIONS, page }).stats()
    if ((channels.at(-1)?.max ?? 0) > 0) return page
  }
  return 0
}

async function encodeSizes(bytes: Buffer, format: ImageFormat): Promise<ProcessedImage> {
  const sharp = await loadSharp()
  try {
    const page = format === 'gif' || format === 'webp' ? await findFrame(bytes) : 0
    const { data, info } = await sharp(bytes, { ...optionsOf(format), page })
      .autoOrient()
      .resize({ width: FULL_WIDTH, height: FULL_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: FULL_EFFORT })
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
const SIGNATURES: Record<ImageFormat, (start: string) => boolean> = {
  png: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (start) => start.startsWith('\xff\xd8\xff'),
  gif: (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  webp: (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
  // AVIF: the first box lists compatible formats.
  heif: (start) => start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8)),
}

/** The format of an uploaded image: PNG, JPEG, WebP, GIF or AVIF. Not SVG: it can contain scripts. */
export function findFormat(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.subarray(0, SIGNATURE_BYTES).toString('latin1')
  return (Object.keys(SIGNATURES) as ImageFormat[]).find((format) => SIGNATURES[format](start))
}
