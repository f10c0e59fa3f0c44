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

const keep = (input: string | null) => storeImageInput(site.db, site.media, 'image', input)

/** A PNG of exactly so many bytes: what follows its end is ignored by decoders. */
async function pngOf(size: number): Promise<Buffer> {
  const bytes = await uniquePng()
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

test.each(['', null])('no image is none', async (input) => {
  expect(await keep(input)).toBeNull()
})

test('a data URL is kept, whatever type it claims to be', async () => {
  const bytes = await solidImage(9, 7).webp().toBuffer()
  const hash = await keep(dataUrl(bytes, 'image/svg+xml'))
  expect((await site.app.inject(mediaPath(hash ?? '', 'full'))).statusCode).toBe(200)
  expect(await keep(dataUrl(bytes))).toBe(hash)
})

test.each(['full', 'card'] as const)('the address of the %s size of an image that is here names it', async (size) => {
  const hash = (await keep(dataUrl(await uniquePng()))) ?? ''
  expect(await keep(mediaPath(hash, size))).toBe(hash)
})

test('3 MiB to the byte is taken, one more is not', async () => {
  expect(await keep(dataUrl(await pngOf(MAX_IMAGE_BYTES)))).toMatch(/^[0-9a-f]{64}$/)
  await expect(keep(dataUrl(await pngOf(MAX_IMAGE_BYTES + 1)))).rejects.toMatchObject({
    code: 'image_too_large',
    status: 413,
    message: 'Image too large. Please use an image under ~3MB (or ~4MB base64).',
  })
})

test('the address of an image whose files are lost is refused', async () => {
  const hash = (await keep(dataUrl(await uniquePng()))) ?? ''
  await site.media.store.remove(`${hash}.webp`)
  await expect(keep(mediaPath(hash, 'full'))).rejects.toMatchObject({ code: 'bad_image' })
})

const nowhere = 'a'.repeat(64)
test.each([
  `/media/${nowhere}.webp`,
  `/media/${nowhere}`,
  `/media/../media/${nowhere}.webp`,
  `https://elsewhere.example/media/${nowhere}.webp`,
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
])('%j is no image', async (input) => {
  await expect(keep(input)).rejects.toMatchObject({ code: 'bad_image', status: 400 })
})
