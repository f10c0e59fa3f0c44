import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { keepImage, mediaPath, openFileStore } from './service.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8b5cf6' } })

const frame = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()

/** A PNG of a few bytes that claims to be this large. */
function makeBomb(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), data])
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32BE(data.length)
    numbers.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(1000))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

describe('an image', () => {
  test('is served as WebP in two sizes, for ever, without what its file told of the camera', async () => {
    const bytes = await picture(2000, 1000)
      .withExif({ IFD0: { Copyright: 'SECRET PLACE' } })
      .jpeg()
      .toBuffer()
    const hash = await keepImage(site.db, site.store, bytes)
    for (const [size, width] of [
      ['full', 1280],
      ['card', 480],
    ] as const) {
      const answer = await site.app.inject(mediaPath(hash, size))
      expect(answer.headers['content-type']).toBe('image/webp')
      expect(answer.headers['cache-control']).toContain('immutable')
      expect(answer.headers['content-security-policy']).toContain('sandbox')
      const read = await sharp(answer.rawPayload).metadata()
      expect([read.width, read.format, read.exif]).toEqual([width, 'webp', undefined])
      expect(answer.rawPayload.includes('SECRET')).toBe(false)
    }
  })

  test('sent twice is kept once', async () => {
    const bytes = await picture(20, 20).png().toBuffer()
    const hashes = [await keepImage(site.db, site.store, bytes), await keepImage(site.db, site.store, bytes)]
    expect(new Set(hashes).size).toBe(1)
    const rows = await site.db
      .selectFrom('media')
      .selectAll()
      .where('hash', '=', hashes[0] ?? '')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('may be %s', async (format) => {
    const hash = await keepImage(site.db, site.store, await picture(8, 4).toFormat(format).toBuffer())
    expect((await site.app.inject(mediaPath(hash, 'card'))).statusCode).toBe(200)
  })

  test('is turned upright and never enlarged', async () => {
    const lying = await picture(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const hash = await keepImage(site.db, site.store, lying)
    const { width, height } = await sharp((await site.app.inject(mediaPath(hash, 'full'))).rawPayload).metadata()
    expect([width, height]).toEqual([20, 30])
  })

  test('that moves is kept as its first frame', async () => {
    const frames = await Promise.all(['#ff0000', '#0000ff'].map((background) => frame(background)))
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2)
    const hash = await keepImage(site.db, site.store, moving)
    const kept = (await site.app.inject(mediaPath(hash, 'full'))).rawPayload
    expect((await sharp(kept, { animated: true }).metadata()).pages ?? 1).toBe(1)
  })

  test('is known again by its tag', async () => {
    const hash = await keepImage(site.db, site.store, await picture(6, 6).png().toBuffer())
    const { headers } = await site.app.inject(mediaPath(hash, 'full'))
    const again = await site.app.inject({
      url: mediaPath(hash, 'full'),
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    [
      'SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'),
    ],
    ['a TIFF', () => picture(8, 8).tiff().toBuffer()],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['one row over 25 megapixels', () => picture(5000, 5001).png().toBuffer()],
    ['nothing', () => Buffer.alloc(0)],
    ['half a file', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['900 megapixels in a few bytes', () => makeBomb(30_000)],
  ])('that is %s is refused', async (_what, make) => {
    const bytes = await make()
    await expect(keepImage(site.db, site.store, bytes)).rejects.toMatchObject({ code: 'bad_image', status: 400 })
  })
})

test.each(['x.webp', `${'a'.repeat(64)}.webp`, '..%2f..%2fsecret-key', '%2e%2e', `${'a'.repeat(64)}.svg`])(
  'the address /media/%s is not there',
  async (name) => {
    expect((await site.app.inject(`/media/${name}`)).statusCode).toBe(404)
  },
)

test('the file store keeps, gives and removes whole files and leaves no draft behind', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-media-'))
  const store = openFileStore(folder)
  await Promise.all([store.put('abc.webp', Buffer.from('one')), store.put('abc.webp', Buffer.from('one'))])
  expect(await store.get('abc.webp')).toEqual(Buffer.from('one'))
  expect(readdirSync(path.join(folder, 'ab'))).toEqual(['abc.webp'])
  await store.remove('abc.webp')
  await store.remove('abc.webp')
  expect(await store.get('abc.webp')).toBeUndefined()
  rmSync(folder, { recursive: true })
})

test('a file that cannot be put in its place leaves no draft behind', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-media-'))
  mkdirSync(path.join(folder, 'ab', 'abc.webp', 'in the way'), { recursive: true })
  await expect(openFileStore(folder).put('abc.webp', Buffer.from('one'))).rejects.toThrow(/.+/)
  expect(readdirSync(path.join(folder, 'ab'))).toEqual(['abc.webp'])
  rmSync(folder, { recursive: true })
})
