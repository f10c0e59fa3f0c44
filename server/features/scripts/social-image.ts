// The image that chats and social networks show for a link to a script: 1200x630, drawn on request.
import { createRequire } from 'node:module'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { OverlayOptions } from 'sharp'
import { warningTitle, warningTone } from '#contract/behavior-warning.ts'
import type { Card } from '#contract/catalogue.ts'
import type { Site } from '#contract/site.ts'
import { readScriptId } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { IMAGES, loadSharp } from '#server/platform/media/process.ts'
import { hashOfPath, mediaNames, type MediaStore } from '#server/platform/media/store.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { matchesEtag } from '#server/platform/http/etag.ts'
import { FairQueue } from '#server/platform/http/fair-queue.ts'
import { findPublicCard } from './read.ts'

interface SocialImagesOptions {
  /** May be a second behind. */
  reads: Database
  store: MediaStore
  siteName: () => string
}

const MAX_CACHED_BYTES = 16 * 1_048_576
const MAX_WAITING = 8
const DAY_SECONDS = 86_400

export class SocialImages {
  readonly #options: SocialImagesOptions
  readonly #queue = new FairQueue({ concurrency: 1, maxWaiting: MAX_WAITING, ...IMAGES })
  // By script, the time of its last change, its warning, and the name of the site. The rating in an image may be a day old.
  readonly #cache: LRUCache<string, Buffer, Card>

  constructor(options: SocialImagesOptions) {
    this.#options = options
    this.#cache = new LRUCache({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: (image: Buffer) => image.length,
      ttl: DAY_SECONDS * 1000,
      fetchMethod: (_key, _stale, { context }) => this.#queue.run({ owner: null }, () => this.#draw(context)),
    })
  }

  /** Sends a plain 404 for a script that is not public. Throws AppError `busy` if many images wait to be drawn. */
  async send(slug: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const card = await this.#findCard(slug)
    if (!card) return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('No such image.\n')
    const key = [card.id, card.updated_at, JSON.stringify(card.warning), this.#options.siteName()].join('-')
    const etag = `"${Buffer.from(key).toString('base64url')}"`
    reply.header('etag', etag).header('cache-control', `public, max-age=${DAY_SECONDS}`)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const image = await this.#cache.fetch(key, { context: card })
    if (!image) throw new AppError('busy', 503, 'This image is not ready. Please try again in a moment.')
    return reply.type('image/jpeg').send(image)
  }

  async #findCard(slug: string): Promise<Card | undefined> {
    const { reads } = this.#options
    const id = readScriptId(slug)
    return id === null ? undefined : findPublicCard(reads, id)
  }

  async #draw(card: Card): Promise<Buffer> {
    const hash = hashOfPath(card.image)
    // A missing cover must not prevent the image.
    const cover = hash && (await this.#options.store.get(mediaNames(hash)[0]).catch(() => undefined))
    return drawSocialImage(card, { siteName: this.#options.siteName(), ...(cover ? { cover } : {}) })
  }
}

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 72
const COVER = { width: 480, height: 270, radius: 20 }
const GAP = 48
const TITLE_HEIGHT = 232
const SUMMARY_HEIGHT = 164
const FOOTER_TOP = 528
const CHIP = { height: 46, padding: 16, gap: 14 }
const CHIP_COLORS = { danger: '#ff9fae', warning: '#fcd34d', plain: '#cfc4ee' }

const RULE = `<rect x="${MARGIN}" y="${FOOTER_TOP - 28}" width="${WIDTH - 2 * MARGIN}" height="2" fill="#fff" opacity=".16"/>`
const BACKGROUND = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>
  <linearGradient id="g" x2="1" y2="1"><stop stop-color="#150f26"/><stop offset="1" stop-color="#3b1d78"/></linearGradient></defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>
  ${RULE}</svg>`
const COVER_MASK = `<svg xmlns="http://www.w3.org/2000/svg" width="${COVER.width}" height="${COVER.height}">
  <rect width="${COVER.width}" height="${COVER.height}" rx="${COVER.radius}" fill="#fff"/></svg>`

/** JPEG of 1200x630 pixels. */
export async function drawSocialImage(
  card: Pick<
    Card,
    'title' | 'summary' | 'author_name' | 'rating_average' | 'rating_count' | 'download_count' | 'warning'
  >,
  { siteName, cover }: { siteName: string; cover?: Buffer },
): Promise<Buffer> {
  const sharp = await loadSharp()
  const width = WIDTH - 2 * MARGIN - (cover ? COVER.width + GAP : 0)
  const title = await fitText(card.title, { width, height: TITLE_HEIGHT, sizes: [60, 52, 44, 36, 28], isBold: true })
  const summary = await fitText(card.summary, {
    width,
    height: SUMMARY_HEIGHT - (card.warning ? CHIP.height + CHIP.gap : 0),
    sizes: [30, 26, 22],
    color: '#cfc4ee',
  })
  const facts = await drawText(factsOf(card), { width: 760, size: 26, color: '#e9e4f7', maxLines: 1 })
  const site = await drawText(siteName, { width: 280, size: 28, isBold: true, maxLines: 1 })
  const layers: OverlayOptions[] = [
    { input: title.png, left: MARGIN, top: MARGIN },
    { input: summary.png, left: MARGIN, top: MARGIN + title.height + 28 },
    { input: facts.png, left: MARGIN, top: FOOTER_TOP },
    { input: site.png, left: WIDTH - MARGIN - site.width, top: FOOTER_TOP },
  ]
  if (card.warning) layers.push(...(await drawChip(card.warning)))
  if (cover) layers.push({ input: await drawCover(cover), left: WIDTH - MARGIN - COVER.width, top: MARGIN + 8 })
  return sharp(Buffer.from(BACKGROUND)).composite(layers).jpeg({ quality: 88 }).toBuffer()
}

/** What the code check warns of, framed, at the bottom of the text. */
async function drawChip(warning: NonNullable<Card['warning']>): Promise<OverlayOptions[]> {
  const color = CHIP_COLORS[warningTone(warning)]
  const text = await drawText(warningTitle(warning.id), { width: 560, size: 26, isBold: true, color, maxLines: 1 })
  const { height, padding, gap } = CHIP
  const width = text.width + 2 * padding
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="8" fill="#000" fill-opacity=".35" stroke="${color}" stroke-width="2"/></svg>`
  const top = FOOTER_TOP - 28 - gap - height
  return [
    { input: Buffer.from(frame), left: MARGIN, top },
    { input: text.png, left: MARGIN + padding, top: top + Math.round((height - text.height) / 2) },
  ]
}

const LOGO_SIZE = 168

/** PNG of 1200x630 pixels: the preview of pages without an image of their own. */
export async function drawSitePreview({ name, tagline, look }: Site, logo: Buffer | null): Promise<Buffer> {
  const sharp = await loadSharp()
  const width = WIDTH - 2 * MARGIN
  const title = await fitText(name, { width, height: TITLE_HEIGHT, sizes: [96, 80, 64, 48], isBold: true })
  const sentence = await fitText(tagline, { width, height: SUMMARY_HEIGHT, sizes: [36, 30, 26], color: '#d9d5e6' })
  const left = MARGIN
  const top = logo ? MARGIN + LOGO_SIZE + 48 : MARGIN + 96
  const layers: OverlayOptions[] = [
    { input: title.png, left, top },
    { input: sentence.png, left, top: top + title.height + 28 },
  ]
  if (logo) layers.push({ input: await sharp(logo).resize(LOGO_SIZE).png().toBuffer(), left, top: MARGIN })
  const background = BACKGROUND.replace('#3b1d78', mixWithBlack(look.theme_color))
    .replace('#150f26', '#0d0c12')
    .replace(RULE, '')
  return sharp(Buffer.from(background)).composite(layers).png({ compressionLevel: 9 }).toBuffer()
}

/** A shade on which white text can be read. */
function mixWithBlack(color: string): string {
  const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) * 0.42)
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function factsOf(card: Pick<Card, 'author_name' | 'rating_average' | 'rating_count' | 'download_count'>): string {
  const author = withoutEmoji(card.author_name)
  const facts = author ? [`by ${author}`] : []
  if (card.rating_count > 0) facts.push(`Rated ${card.rating_average.toFixed(1)} of 5`)
  if (card.download_count > 1) facts.push(`${count.format(card.download_count)} downloads`)
  return facts.join('  ·  ')
}

async function drawCover(bytes: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height } = COVER
  const resized = await sharp(bytes).resize(width, height, { fit: 'cover' }).png().toBuffer()
  return sharp(resized)
    .composite([{ input: Buffer.from(COVER_MASK), blend: 'dest-in' }])
    .png()
    .toBuffer()
}

// Inter, so that the text looks the same on servers without fonts. Other writing systems need fonts of the system.
const require = createRequire(import.meta.url)
const REGULAR = require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')
const BOLD = require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')

interface TextStyle {
  /** In pixels. */
  width: number
  size: number
  isBold?: boolean
  color?: string
  maxLines?: number
}

interface DrawnText {
  png: Buffer
  width: number
  height: number
}

/** Draws a text in the largest of these sizes in which it fits, else in the smallest one, cut off. */
async function fitText(
  text: string,
  { sizes, height, ...style }: Omit<TextStyle, 'size'> & { sizes: readonly number[]; height: number },
): Promise<DrawnText> {
  const sharp = await loadSharp()
  let drawn: DrawnText | undefined
  for (const size of sizes) {
    drawn = await drawText(text, { ...style, size })
    if (drawn.height <= height) return drawn
  }
  if (!drawn) throw new Error('There must be a size.')
  return {
    png: await sharp(drawn.png).extract({ left: 0, top: 0, width: drawn.width, height }).toBuffer(),
    width: drawn.width,
    height,
  }
}

async function drawText(text: string, style: TextStyle): Promise<DrawnText> {
  const sharp = await loadSharp()
  const { width, size, isBold = false, color = '#ffffff', maxLines } = style
  const plain = withoutEmoji(text)
  // Pango's markup needs at least one visible character.
  const words = maxLines === 1 ? shortenTo(plain, Math.floor(width / (size * 0.55))) : plain
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeMarkup(words || '–')}</span>`,
      font: `Inter ${isBold ? 'Bold ' : ''}${size}px`,
      fontfile: isBold ? BOLD : REGULAR,
      width,
      rgba: true,
      dpi: 72,
      wrap: 'word-char',
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}

/** The font has no emoji. */
const withoutEmoji = (text: string) =>
  text
    .replaceAll(/(?![0-9#*©®™])[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

function shortenTo(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

const escapeMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
