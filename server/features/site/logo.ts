import { LRUCache } from 'lru-cache'
import { MAX_LOGO_BYTES } from '#contract/limits.ts'
import { findFormat, loadSharp } from '#server/platform/media/process.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'

export const LOGO_SIZE = 512
/** Sizes of icons: browser tabs, the page's header on sharp screens, iOS, Android. */
export const ICON_SIZES = [48, 96, 180, 192, 512] as const
/** A small file can claim far more. */
const MAX_PIXELS = 16_000_000
const MAX_SECONDS = 5
const FORMATS = new Set(['png', 'jpeg', 'webp'])
const DATA_URL = /^data:image\/[a-z0-9.+-]{1,20};base64,([A-Za-z0-9+/]+={0,2})$/

const logoError = (message: string) => invalidField('logo', message)

/** Draws a square PNG, also of an SVG: only the pixels are stored. Throws AppError `invalid` with what to do. */
export async function readLogo(dataUrl: string): Promise<Buffer> {
  const [, base64] = DATA_URL.exec(dataUrl) ?? []
  if (base64 === undefined) throw logoError('The logo could not be read. Choose a PNG, JPEG, WebP or SVG file.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MAX_LOGO_BYTES) throw logoError('The logo is larger than 512 KB. Choose a smaller file.')
  const svg = toSvgText(bytes)
  if (svg !== undefined) requirePlainSvg(svg)
  else if (!FORMATS.has(findFormat(bytes) ?? ''))
    throw logoError('The logo must be a PNG, JPEG, WebP or SVG file. Choose another file.')
  return draw(bytes, svg !== undefined)
}

/** The text of an SVG; undefined for other files. */
function toSvgText(bytes: Buffer): string | undefined {
  if (findFormat(bytes) || bytes.includes(0)) return undefined
  const text = bytes.toString('utf8')
  return /<(?:[\w-]+:)?svg[\s>]/i.test(text) ? text : undefined
}

/** Content that an SVG must not have, each with an error message. The names may have an XML prefix. */
const FORBIDDEN: readonly [pattern: RegExp, message: string][] = [
  [
    /<(?:[\w-]+:)?script[\s/>]|\son[a-z]+\s*=|javascript:/i,
    'This SVG contains a script. Remove it in your drawing program, or choose a PNG file.',
  ],
  [
    /<(?:[\w-]+:)?(?:foreignObject|iframe|embed|object)[\s/>]/i,
    'This SVG contains HTML. Remove it in your drawing program, or choose a PNG file.',
  ],
  [
    /<!ENTITY|<!DOCTYPE[^>]*\[|<\?xml-stylesheet|@import/i,
    'This SVG contains definitions from outside. Save it as plain SVG, or choose a PNG file.',
  ],
  [
    /\shref\s*=\s*(?!["']\s*(?:#|data:image\/(?:png|jpeg|webp);))|xlink:href\s*=\s*(?!["']\s*(?:#|data:image\/(?:png|jpeg|webp);))|url\(\s*(?!["']?\s*(?:#|&quot;#))/i,
    'This SVG loads other files. Embed them in your drawing program, or choose a PNG file.',
  ],
]

function requirePlainSvg(text: string): void {
  // Attributes may be written as character references; names of elements may not.
  const readable = text.replaceAll(/&#(x[0-9a-f]{1,6}|\d{1,7});/gi, (whole, code: string) => {
    const point = code.startsWith('x') || code.startsWith('X') ? Number.parseInt(code.slice(1), 16) : Number(code)
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole
  })
  const forbidden = FORBIDDEN.find(([pattern]) => pattern.test(readable))
  if (forbidden) throw logoError(forbidden[1])
}

async function draw(bytes: Buffer, isSvg: boolean): Promise<Buffer> {
  const sharp = await loadSharp()
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > MAX_PIXELS) throw new Error('too many pixels')
    // Dots per inch at which the longer side of a drawing has the size of the logo.
    const density = Math.min(2400, Math.max(1, (72 * LOGO_SIZE) / Math.max(width, height, 1)))
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, ...(isSvg && { density }) })
      .autoOrient()
      .resize({ width: LOGO_SIZE, height: LOGO_SIZE, fit: 'contain', background: '#00000000' })
      .png({ compressionLevel: 9 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer()
  } catch {
    throw logoError('The logo could not be read. Choose another file, at most 4000 pixels wide and high.')
  }
}

const MAX_CACHED_ICONS = 20

export class Icons {
  readonly #cache = new LRUCache<string, Buffer, Buffer>({
    max: MAX_CACHED_ICONS,
    fetchMethod: (key, _stale, { context }) => drawIcon(context, Number(key.split(' ')[1])),
  })

  /** `tag` identifies the logo. */
  get(logo: Buffer, tag: string, size: number): Promise<Buffer | undefined> {
    return this.#cache.fetch(`${tag} ${size}`, { context: logo })
  }
}

/** iOS shows transparent parts in black, so that icon gets a background and a margin. */
const OPAQUE_SIZE = 180

async function drawIcon(logo: Buffer, size: number): Promise<Buffer> {
  const sharp = await loadSharp()
  if (size !== OPAQUE_SIZE) return sharp(logo).resize(size, size).png().toBuffer()
  const inner = Math.round(size * 0.8)
  const margin = (size - inner) / 2
  return sharp(logo)
    .resize(inner, inner)
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: '#ffffff00' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
}
