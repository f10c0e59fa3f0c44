import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
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

/** A PNG of a few bytes that claims to be this large. */
function makeBomb(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
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

  test.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['half a file', Buffer.from('89504e470d0a1a0a0000000d', 'hex')],
    ['900 megapixels in a few bytes', makeBomb(30_000)],
  ])('that is %s is refused', async (_what, bytes) => {
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
