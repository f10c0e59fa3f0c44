import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeImage } from '#server/platform/media/upload.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { solidImage } from '#tests/support/images.ts'
import { drawSocialImage } from './social-image.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const load = (id: number | string, headers = {}) => site.app.inject({ url: `/social/any-title-${id}.jpg`, headers })

/** Whether a pixel in the middle of the cover is red. */
async function hasRedCover(image: Buffer): Promise<boolean> {
  const [red = 0, green = 255] = await sharp(image)
    .extract({ left: 900, top: 200, width: 1, height: 1 })
    .raw()
    .toBuffer()
  return red > 200 && green < 50
}

test('the image has the size that networks expect, and the cover', async () => {
  const image = await storeImage(site.db, site.media, await solidImage(640, 360, '#f00').png().toBuffer(), null)
  const [plain, covered] = [await makeScript(site.db), await makeScript(site.db, { image })]
  const response = await load(covered)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=86400' })
  expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect(await hasRedCover(response.rawPayload)).toBe(true)
  expect(await hasRedCover((await load(plain)).rawPayload)).toBe(false)
  const again = await load(covered, { 'if-none-match': response.headers.etag })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
})

test('the image changes with the script', async () => {
  const id = await makeScript(site.db, { title: 'Before' })
  const before = await load(id)
  await site.db
    .updateTable('scripts')
    .set({ title: 'Something else', updated_at: new Date(Date.now() + 1000) })
    .where('id', '=', id)
    .execute()
  const after = await load(id)
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect(after.rawPayload.equals(before.rawPayload)).toBe(false)
})

test('only public scripts by members in good standing have one', async () => {
  const banned = await makeMember(site.db, { banned_until: 'infinity' })
  const author = await makeMember(site.db)
  const own = await makeScript(site.db, { author_id: author, is_public: false })
  for (const id of [own, await makeScript(site.db, { author_id: banned }), 999_999, 'x', '9'.repeat(30)]) {
    const response = await load(id, await signIn(site.db, author))
    expect([id, response.statusCode]).toEqual([id, 404])
    expect(response.headers['cache-control']).toBe('no-store')
  }
})

test.each([
  ['markup', '<b>A & B</b> <span foreground="red">', '</span>&amp;'],
  ['a word without spaces', 'W'.repeat(100), 'x'.repeat(140)],
  ['emoji only', '🎉🎉', '👩‍👩‍👧'],
  ['wide characters', '字'.repeat(100), '字'.repeat(140)],
  ['right to left', 'مرحبا', 'שלום'],
])('draws %s', async (_name, title, summary) => {
  const facts = { author_name: title.slice(0, 50), rating_average: 4.25, rating_count: 3, download_count: 1234 }
  for (const warning of [null, { id: 'net.exfiltration', is_declared: false } as const]) {
    const image = await drawSocialImage({ title, summary, ...facts, warning }, { siteName: 'A & B' })
    expect(await sharp(image).metadata()).toMatchObject({ width: 1200, height: 630 })
  }
})
