import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { dataUrl, solidImage, uniquePng } from '#tests/support/images.ts'
import { storeImageInput } from './upload.ts'
import { mediaPath } from './store.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const storeInput = (input: string | null) =>
  storeImageInput(site.db, site.media, { field: 'image', input, uploader: null })

/** A PNG of exactly this size. Decoders ignore the padding after its end. */
async function pngOf(size: number): Promise<Buffer> {
  const bytes = await uniquePng()
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

test.each(['', null])('stores no image for %j', async (input) => {
  expect(await storeInput(input)).toBeNull()
})

test('stores the image of a data URL regardless of its declared type', async () => {
  const bytes = await solidImage(9, 7).webp().toBuffer()
  const hash = await storeInput(dataUrl(bytes, 'image/svg+xml'))
  expect((await site.app.inject(mediaPath(hash ?? '', 'full'))).statusCode).toBe(200)
  expect(await storeInput(dataUrl(bytes))).toBe(hash)
})

test.each(['full', 'card'] as const)('accepts the URL of the %s size of a stored image', async (size) => {
  const hash = (await storeInput(dataUrl(await uniquePng()))) ?? ''
  expect(await storeInput(mediaPath(hash, size))).toBe(hash)
})

test('accepts exactly 3 MiB, and rejects one byte more', async () => {
  expect(await storeInput(dataUrl(await pngOf(MAX_IMAGE_BYTES)))).toMatch(/^[0-9a-f]{64}$/)
  await expect(storeInput(dataUrl(await pngOf(MAX_IMAGE_BYTES + 1)))).rejects.toMatchObject({
    code: 'image_too_large',
    status: 413,
    message: 'Image too large. Please use an image under ~3MB (or ~4MB base64).',
  })
})

test('rejects the URL of an image whose files are missing', async () => {
  const hash = (await storeInput(dataUrl(await uniquePng()))) ?? ''
  await site.media.store.remove(`${hash}.webp`)
  await expect(storeInput(mediaPath(hash, 'full'))).rejects.toMatchObject({ code: 'bad_image' })
})

const unknownHash = 'a'.repeat(64)
test.each([
  `/media/${unknownHash}.webp`,
  `/media/${unknownHash}`,
  `/media/../media/${unknownHash}.webp`,
  `https://elsewhere.example/media/${unknownHash}.webp`,
  'https://elsewhere.example/a.png',
  'javascript:alert(1)',
  'data:text/html;base64,PGI+',
  'data:image/png,hello',
  'data:image/png;base64,',
  'data:image/png;base64,AAAA AAAA',
  'data:image/png;base64,-_-_',
  'data:image/png;base64,A=A=',
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  `data:image/${'x'.repeat(90)};base64,AAAA`,
  '\0',
  'null',
])('rejects %j', async (input) => {
  await expect(storeInput(input)).rejects.toMatchObject({ code: 'bad_image', status: 400 })
})
