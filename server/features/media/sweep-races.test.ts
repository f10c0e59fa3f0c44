import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeScript } from '#tests/support/factories.ts'
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

const keep = async () => storeImage(site.db, site.media, await uniquePng())
const name = (hash: string) => storeImageInput(site.db, site.media, 'image', mediaPath(hash, 'full'))

/** A sweep that has just taken the first of these images, all of them due, and removes its files when told. */
async function sweepHalfWay() {
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

/** Lets a query that will wait for a lock begin to. */
async function waitUntilBlocked() {
  const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await site.pool.query(blocked)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('an image that a form uses again after the sweep had chosen it stays', async () => {
  const [first, second] = (await Promise.all([keep(), keep()])).toSorted() as [string, string]
  const finish = await sweepHalfWay()
  const image = await name(second)
  await makeScript(site.db, { image })
  await finish()
  expect(await isStored(site, first)).toBe(false)
  expect(await isStored(site, second)).toBe(true)
})

test('an image that a form names after the sweep had chosen it stays, though nothing uses it yet', async () => {
  const [, second] = (await Promise.all([keep(), keep()])).toSorted() as [string, string]
  const finish = await sweepHalfWay()
  await name(second)
  await finish()
  expect(await isStored(site, second)).toBe(true)
})

test('the same image sent while its files are going is kept anew, whole', async () => {
  const bytes = await uniquePng()
  const hash = await storeImage(site.db, site.media, bytes)
  const finish = await sweepHalfWay()
  const again = storeImage(site.db, site.media, bytes)
  await waitUntilBlocked()
  await finish()
  expect(await again).toBe(hash)
  expect(await isStored(site, hash)).toBe(true)
})

test('a form that names an image while its files are going is told that it is gone', async () => {
  const hash = await keep()
  const finish = await sweepHalfWay()
  const naming = name(hash).catch((error: unknown) => error)
  await waitUntilBlocked()
  await finish()
  expect(await naming).toMatchObject({ code: 'bad_image' })
  expect(await isStored(site, hash)).toBe(false)
})

test('an image that a transaction under way begins to use stays', async () => {
  const hash = await keep()
  const id = await makeScript(site.db)
  await advanceHours(site, 25)
  let removed: Promise<number> = Promise.resolve(-1)
  await site.db.transaction().execute(async (trx) => {
    await trx.updateTable('scripts').set({ image: hash }).where('id', '=', id).execute()
    removed = removeUnused({ db: site.db, store: site.media.store, signal: new AbortController().signal })
    await waitUntilBlocked()
  })
  expect(await removed).toBe(0)
  expect(await isStored(site, hash)).toBe(true)
})

test('a sweep that dies between the files of an image leaves nothing that a form could use, and the next ends it', async () => {
  const hash = await keep()
  const sweep = openSweep(site, {
    ...site.media.store,
    remove: async (file) => {
      if (file.includes('-card')) throw new Error('gone')
      await site.media.store.remove(file)
    },
  })
  await advanceHours(site, 25)
  await expect(sweep.run()).rejects.toThrow('gone')
  await expect(name(hash)).rejects.toMatchObject({ code: 'bad_image' })
  await advanceHours(site, 25)
  await site.sweep.run()
  expect(await isStored(site, hash)).toBe(false)
})

test('an upload under way and a look for files without a row do not hurt each other', async () => {
  const bytes = await uniquePng()
  const hash = await storeImage(site.db, site.media, bytes)
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
  const again = storeImage(site.db, site.media, bytes)
  await waitUntilBlocked()
  resume()
  await running
  expect(await again).toBe(hash)
  expect(await isStored(site, hash)).toBe(true)
})

test('a file that got its row after it had been found without one stays', async () => {
  const bytes = await uniquePng()
  const [first, second] = [await keep(), await storeImage(site.db, site.media, bytes)]
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
  await storeImage(site.db, site.media, bytes)
  resume()
  await running
  expect(await isStored(site, first)).toBe(false)
  expect(await isStored(site, second)).toBe(true)
})
