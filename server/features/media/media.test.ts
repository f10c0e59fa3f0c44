import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { animatedImage, decompressionBomb, noiseImage, solidImage, uniquePng } from '#tests/support/images.ts'
import { storeDrawing, storeImage } from './upload.ts'
import { mediaPath } from './store.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
const keep = (bytes: Buffer) => storeImage(site.db, site.media, bytes)
const load = async (hash: string) => (await site.app.inject(mediaPath(hash, 'full'))).rawPayload
const countRows = async () =>
  (
    await site.db
      .selectFrom('media')
      .select((all) => all.fn.countAll().as('count'))
      .executeTakeFirst()
  )?.count

describe('an image', () => {
  test('is served as WebP in two sizes, for ever, without what its file told of the camera', async () => {
    const hash = await keep(
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
      const answer = await site.app.inject(mediaPath(hash, size))
      expect(answer.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      const { format, exif, xmp, icc, ...read } = await sharp(answer.rawPayload).metadata()
      expect([read.width, format, exif, xmp, icc]).toEqual([width, 'webp', undefined, undefined, undefined])
      expect(answer.rawPayload.includes('SECRET')).toBe(false)
    }
  })

  test('sent twice, also at the same time, is kept once', async () => {
    const bytes = await uniquePng()
    const hashes = [...(await Promise.all([keep(bytes), keep(bytes)])), await keep(bytes)]
    expect(new Set(hashes).size).toBe(1)
    const rows = await site.db
      .selectFrom('media')
      .selectAll()
      .where('hash', '=', hashes[0] ?? '')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('whose files were lost is made again when it is sent again', async () => {
    const bytes = await uniquePng()
    const hash = await keep(bytes)
    await site.media.store.remove(`${hash}-card.webp`)
    await keep(bytes)
    expect((await site.app.inject(mediaPath(hash, 'card'))).statusCode).toBe(200)
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('may be %s', async (format) => {
    const hash = await keep(await solidImage(8, 4).toFormat(format).toBuffer())
    expect((await site.app.inject(mediaPath(hash, 'card'))).statusCode).toBe(200)
  })

  test('may hold 25 megapixels', async () => {
    const hash = await keep(await solidImage(5000, 5000).png().toBuffer())
    const { width, height } = await sharp(await load(hash)).metadata()
    expect([width, height]).toEqual([1280, 1280])
  })

  test('is turned upright and never enlarged', async () => {
    const hash = await keep(await solidImage(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const { width, height } = await sharp(await load(hash)).metadata()
    expect([width, height]).toEqual([20, 30])
  })

  test('keeps what can be seen through', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 }
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 4, background: clear } })
      .png()
      .toBuffer()
    expect((await sharp(await load(await keep(bytes))).stats()).isOpaque).toBe(false)
  })

  test.each(['gif', 'webp'] as const)('that moves, as %s, is kept as its first frame', async (format) => {
    const bytes = await animatedImage(format)
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(2)
    const stored = await load(await keep(bytes))
    expect((await sharp(stored, { animated: true }).metadata()).pages ?? 1).toBe(1)
    const [red] = (await sharp(stored).stats()).channels
    expect(red?.mean).toBeGreaterThan(200)
  })

  test('is known again by its tag', async () => {
    const url = mediaPath(await keep(await uniquePng()), 'full')
    const { headers } = await site.app.inject(url)
    const again = await site.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })

  test('that the site drew itself may be an SVG', async () => {
    const hash = await storeDrawing(site.db, site.media, Buffer.from(SVG))
    expect((await sharp(await load(hash)).metadata()).format).toBe('webp')
  })
})

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const behind = (start: string, text: string) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(text)])

describe('a file is refused and leaves nothing behind when it is', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    ['SVG', () => Buffer.from(SVG)],
    ['SVG behind a declaration', () => Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ['SVG behind the first bytes of a PNG', () => behind('\x89PNG\r\n\x1a\n', SVG)],
    ['SVG behind the first bytes of a GIF', () => behind('GIF89a', SVG)],
    ['a page behind the first bytes of a JPEG', () => behind('\xff\xd8\xff', '<script>alert(1)</script>')],
    ['an archive behind the first bytes of an AVIF', () => behind('\0\0\0\x1cftypavif', 'PK\x03\x04')],
    ['a TIFF', () => solidImage(8, 8).tiff().toBuffer()],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['a sound in a RIFF', () => behind('RIFF\x24\0\0\0WAVE', 'fmt ')],
    ['one row over 25 megapixels', () => solidImage(5000, 5001).png().toBuffer()],
    ['900 megapixels in a few bytes', () => decompressionBomb(30_000)],
    ['far larger than any file', () => decompressionBomb(2_000_000_000)],
    ['nothing', () => Buffer.alloc(0)],
    ['the start of a PNG', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['half a PNG', async () => half(await noiseImage(60, 60).png().toBuffer())],
    ['half a JPEG', async () => half(await noiseImage(60, 60).jpeg().toBuffer())],
    ['half a WebP', async () => half(await noiseImage(60, 60).webp().toBuffer())],
    ['half a GIF', async () => half(await noiseImage(60, 60).gif().toBuffer())],
    ['half an AVIF', async () => half(await noiseImage(60, 60).avif().toBuffer())],
  ])('%s', async (_what, make) => {
    const bytes = await make()
    const before = await countRows()
    await expect(keep(bytes)).rejects.toMatchObject({ code: 'bad_image', status: 400 })
    expect(await countRows()).toBe(before)
  })
})

test.each(['x.webp', `${'a'.repeat(64)}.webp`, '..%2f..%2fsecret-key', '%2e%2e', `${'a'.repeat(64)}.svg`])(
  'the address /media/%s is not there',
  async (name) => {
    expect((await site.app.inject(`/media/${name}`)).statusCode).toBe(404)
  },
)

test('an image that is not there is not remembered as missing', async () => {
  const { headers } = await site.app.inject(`/media/${'a'.repeat(64)}.webp`)
  expect(headers['cache-control']).toBe('no-store')
})
