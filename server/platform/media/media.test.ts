import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { animatedImage, decompressionBomb, noiseImage, solidImage, uniquePng } from '#tests/support/images.ts'
import { storeImage } from './upload.ts'
import { mediaPath } from './store.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
const store = (bytes: Buffer) => storeImage(site.db, site.media, bytes, null)
const loadImage = async (hash: string) => (await site.app.inject(mediaPath(hash, 'full'))).rawPayload
const countRows = async () =>
  (
    await site.db
      .selectFrom('media')
      .select((all) => all.fn.countAll().as('count'))
      .executeTakeFirst()
  )?.count

describe('an image', () => {
  test('is served as immutable WebP in two sizes, without metadata', async () => {
    const hash = await store(
      await solidImage(2000, 1000)
        .withExif({ IFD0: { Copyright: 'SECRET PLACE' }, IFD3: { GPSLatitudeRef: 'N' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET</x:xmpmeta>')
        .jpeg()
        .toBuffer(),
    )
    for (const [size, width] of [
      ['full', 1280],
      ['card', 480],
    ] as const) {
      const response = await site.app.inject(mediaPath(hash, size))
      expect(response.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      const { format, exif, xmp, icc, ...read } = await sharp(response.rawPayload).metadata()
      expect([read.width, format, exif, xmp, icc]).toEqual([width, 'webp', undefined, undefined, undefined])
      expect(response.rawPayload.includes('SECRET')).toBe(false)
    }
  })

  test('is stored once when uploaded repeatedly or concurrently', async () => {
    const bytes = await uniquePng()
    const hashes = [...(await Promise.all([store(bytes), store(bytes)])), await store(bytes)]
    expect(new Set(hashes).size).toBe(1)
    const rows = await site.db
      .selectFrom('media')
      .selectAll()
      .where('hash', '=', hashes[0] ?? '')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('whose files are missing is restored by another upload', async () => {
    const bytes = await uniquePng()
    const hash = await store(bytes)
    await site.media.store.remove(`${hash}-card.webp`)
    await store(bytes)
    expect((await site.app.inject(mediaPath(hash, 'card'))).statusCode).toBe(200)
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('is accepted as %s', async (format) => {
    const hash = await store(await solidImage(8, 4).toFormat(format).toBuffer())
    expect((await site.app.inject(mediaPath(hash, 'card'))).statusCode).toBe(200)
  })

  test('is accepted with 25 megapixels', async () => {
    const hash = await store(await solidImage(5000, 5000).png().toBuffer())
    const { width, height } = await sharp(await loadImage(hash)).metadata()
    expect([width, height]).toEqual([1280, 1280])
  })

  test('is rotated upright and never enlarged', async () => {
    const hash = await store(await solidImage(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const { width, height } = await sharp(await loadImage(hash)).metadata()
    expect([width, height]).toEqual([20, 30])
  })

  test('keeps its transparency', async () => {
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 4, background: transparent } })
      .png()
      .toBuffer()
    expect((await sharp(await loadImage(await store(bytes))).stats()).isOpaque).toBe(false)
  })

  test.each(['gif', 'webp'] as const)('that is animated, as %s, is stored as its first frame', async (format) => {
    const bytes = await animatedImage(format)
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(2)
    const stored = await loadImage(await store(bytes))
    expect((await sharp(stored, { animated: true }).metadata()).pages ?? 1).toBe(1)
    const [red] = (await sharp(stored).stats()).channels
    expect(red?.mean).toBeGreaterThan(200)
  })

  test('supports revalidation by ETag', async () => {
    const url = mediaPath(await store(await uniquePng()), 'full')
    const { headers } = await site.app.inject(url)
    const tag = String(headers.etag)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await site.app.inject({ url, headers: { 'if-none-match': known } })
      expect([again.statusCode, again.payload], known).toEqual([304, ''])
    }
    const missing = url.replace(/[0-9a-f]{8}/, '00000000')
    const none = await site.app.inject({ url: missing, headers: { 'if-none-match': '*' } })
    expect(none.statusCode).toBe(404)
  })
})

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const withPrefix = (start: string, text: string) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(text)])

describe('a file is rejected and leaves nothing behind if it is', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    ['SVG', () => Buffer.from(SVG)],
    ['SVG with an XML declaration', () => Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ['SVG with the signature of a PNG', () => withPrefix('\x89PNG\r\n\x1a\n', SVG)],
    ['SVG with the signature of a GIF', () => withPrefix('GIF89a', SVG)],
    ['HTML with the signature of a JPEG', () => withPrefix('\xff\xd8\xff', '<script>alert(1)</script>')],
    ['a ZIP archive with the signature of an AVIF', () => withPrefix('\0\0\0\x1cftypavif', 'PK\x03\x04')],
    ['a TIFF', () => solidImage(8, 8).tiff().toBuffer()],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['a WAVE file', () => withPrefix('RIFF\x24\0\0\0WAVE', 'fmt ')],
    ['one row over 25 megapixels', () => solidImage(5000, 5001).png().toBuffer()],
    ['a decompression bomb of 900 megapixels', () => decompressionBomb(30_000)],
    ['an image with 2 billion pixels per side', () => decompressionBomb(2_000_000_000)],
    ['empty', () => Buffer.alloc(0)],
    ['the start of a PNG', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['half a PNG', async () => half(await noiseImage(60, 60).png().toBuffer())],
    ['half a WebP', async () => half(await noiseImage(60, 60).webp().toBuffer())],
    ['half a GIF', async () => half(await noiseImage(60, 60).gif().toBuffer())],
    ['half an AVIF', async () => half(await noiseImage(60, 60).avif().toBuffer())],
  ])('%s', async (_name, make) => {
    const bytes = await make()
    const before = await countRows()
    await expect(store(bytes)).rejects.toMatchObject({ code: 'bad_image', status: 400 })
    expect(await countRows()).toBe(before)
  })
})

test.each(['x.webp', `${'a'.repeat(64)}.webp`, '..%2f..%2fsecret-key', '%2e%2e', `${'a'.repeat(64)}.svg`])(
  'returns 404 for /media/%s',
  async (name) => {
    expect((await site.app.inject(`/media/${name}`)).statusCode).toBe(404)
  },
)

test('the 404 response for an image is not cached', async () => {
  const { headers } = await site.app.inject(`/media/${'a'.repeat(64)}.webp`)
  expect(headers['cache-control']).toBe('no-store')
})
