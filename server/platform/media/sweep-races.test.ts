import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'
import { waitUntilBlocked } from '#tests/support/locks.ts'
import { advanceHours, isStored, makeSlowStore, openSweep } from '#tests/support/media.ts'
import { uniquePng } from '#tests/support/images.ts'
import { storeImage, storeImageInput } from './upload.ts'
import { mediaPath } from './store.ts'
import { removeUnused } from './sweep.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
afterEach(async () => {
  await advanceHours(site, 25)
  await site.sweep.run()
})

const storeNewImage = async () => storeImage(site.db, site.media, await uniquePng(), null)
const submitUrl = (hash: string) =>
  storeImageInput(site.db, site.media, { field: 'image', input: mediaPath(hash, 'full'), uploader: null })

/** Starts a sweep that stops before it removes the files of the first image. The returned function lets it finish. */
async function startBlockedSweep() {
  const { slow, reached, resume } = makeSlowStore(site.media.store)
  const sweep = openSweep(site, slow)
  await advanceHours(site, 25)
  const running = sweep.run()
  await reached
  return async () => {
    resume()
    await running
  }
}

test('keeps an image that is used again after the sweep selected it', async () => {
  const [first, second] = (await Promise.all([storeNewImage(), storeNewImage()])).toSorted() as [string, string]
  const finish = await startBlockedSweep()
  const image = await submitUrl(second)
  await makeScript(site.db, { image })
  await finish()
  expect(await isStored(site, first)).toBe(false)
  expect(await isStored(site, second)).toBe(true)
})

test('keeps an image whose URL is submitted after the sweep selected it, even before it is used', async () => {
  const [, second] = (await Promise.all([storeNewImage(), storeNewImage()])).toSorted() as [string, string]
  const finish = await startBlockedSweep()
  await submitUrl(second)
  await finish()
  expect(await isStored(site, second)).toBe(true)
})

test('stores an image again if it is uploaded while its files are being removed', async () => {
  const bytes = await uniquePng()
  const hash = await storeImage(site.db, site.media, bytes, null)
  const finish = await startBlockedSweep()
  const upload = storeImage(site.db, site.media, bytes, null)
  await waitUntilBlocked(site.pool)
  await finish()
  expect(await upload).toBe(hash)
  expect(await isStored(site, hash)).toBe(true)
})

test('rejects the URL of an image whose files are being removed', async () => {
  const hash = await storeNewImage()
  const finish = await startBlockedSweep()
  const submission = submitUrl(hash).catch((error: unknown) => error)
  await waitUntilBlocked(site.pool)
  await finish()
  expect(await submission).toMatchObject({ code: 'bad_image' })
  expect(await isStored(site, hash)).toBe(false)
})

test('keeps an image that an uncommitted transaction has started to use', async () => {
  const hash = await storeNewImage()
  const id = await makeScript(site.db)
  await advanceHours(site, 25)
  let removed: Promise<number> = Promise.resolve(-1)
  await site.db.transaction().execute(async (trx) => {
    await trx.updateTable('scripts').set({ image: hash }).where('id', '=', id).execute()
    const { db, media } = site
    removed = removeUnused({ db, store: media.store, rangeSize: 10, signal: new AbortController().signal })
    await waitUntilBlocked(site.pool)
  })
  expect(await removed).toBe(0)
  expect(await isStored(site, hash)).toBe(true)
})

test('an image is unusable after a sweep failed between its files, and the next sweep removes it', async () => {
  const hash = await storeNewImage()
  const sweep = openSweep(site, {
    ...site.media.store,
    remove: async (file) => {
      if (file.includes('-card')) throw new Error('gone')
      await site.media.store.remove(file)
    },
  })
  await advanceHours(site, 25)
  await expect(sweep.run()).rejects.toThrow('gone')
  await expect(submitUrl(hash)).rejects.toMatchObject({ code: 'bad_image' })
  await advanceHours(site, 25)
  await site.sweep.run()
  expect(await isStored(site, hash)).toBe(false)
})

test('an upload is not affected by a concurrent search for files without a row', async () => {
  const bytes = await uniquePng()
  const hash = await storeImage(site.db, site.media, bytes, null)
  await site.db.deleteFrom('media').where('hash', '=', hash).execute()
  const { slow, reached, resume } = makeSlowStore({
    ...site.media.store,
    async *list() {
      yield [{ name: `${hash}.webp`, changedAt: new Date(0) }]
    },
  })
  const sweep = openSweep(site, slow)
  const running = sweep.run()
  await reached
  const upload = storeImage(site.db, site.media, bytes, null)
  await waitUntilBlocked(site.pool)
  resume()
  await running
  expect(await upload).toBe(hash)
  expect(await isStored(site, hash)).toBe(true)
})

test('keeps a file whose row was inserted after it was found without one', async () => {
  const bytes = await uniquePng()
  const [first, second] = [await storeNewImage(), await storeImage(site.db, site.media, bytes, null)]
  await site.db.deleteFrom('media').where('hash', 'in', [first, second]).execute()
  const { slow, reached, resume } = makeSlowStore({
    ...site.media.store,
    async *list() {
      yield [first, second].map((hash) => ({ name: `${hash}.webp`, changedAt: new Date(0) }))
    },
  })
  const sweep = openSweep(site, slow)
  const running = sweep.run()
  await reached
  await storeImage(site.db, site.media, bytes, null)
  resume()
  await running
  expect(await isStored(site, first)).toBe(false)
  expect(await isStored(site, second)).toBe(true)
})
