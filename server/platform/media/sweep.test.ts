import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { advanceHours, isStored, openSweep } from '#tests/support/media.ts'
import { uniquePng } from '#tests/support/images.ts'
import { storeImage, storeImageInput } from './upload.ts'
import { mediaPath } from './store.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const storeNewImage = async () => storeImage(site.db, site.media, await uniquePng(), null)

async function sweepAfter(hours: number) {
  await advanceHours(site, hours)
  await site.sweep.run()
}

describe('the sweep', () => {
  test('removes images that have been unused for a day, not newer ones', async () => {
    const hash = await storeNewImage()
    await sweepAfter(23)
    expect(await isStored(site, hash)).toBe(true)
    await sweepAfter(2)
    expect(await isStored(site, hash)).toBe(false)
  })

  test('keeps used images of any age', async () => {
    const [cover, avatar, banner] = [await storeNewImage(), await storeNewImage(), await storeNewImage()]
    const member = await makeMember(site.db, { profile_image: avatar, banner_image: banner })
    await makeScript(site.db, { author_id: member, image: cover })
    await sweepAfter(1000)
    await sweepAfter(1000)
    for (const hash of [cover, avatar, banner]) expect(await isStored(site, hash)).toBe(true)
  })

  test('waits for a day after the last use', async () => {
    const hash = await storeNewImage()
    const id = await makeScript(site.db, { image: hash })
    await sweepAfter(1000)
    await site.db.updateTable('scripts').set({ image: null }).where('id', '=', id).execute()
    await sweepAfter(1000)
    expect(await isStored(site, hash)).toBe(true)
    await sweepAfter(25)
    expect(await isStored(site, hash)).toBe(false)
  })

  test('keeps an image until the last of its two uses ends', async () => {
    const hash = await storeNewImage()
    const ids = [await makeScript(site.db, { image: hash }), await makeScript(site.db, { image: hash })]
    await site.db
      .deleteFrom('scripts')
      .where('id', '=', ids[0] ?? 0)
      .execute()
    await sweepAfter(1000)
    expect(await isStored(site, hash)).toBe(true)
    await site.db
      .deleteFrom('scripts')
      .where('id', '=', ids[1] ?? 0)
      .execute()
    await site.sweep.run()
    await sweepAfter(25)
    expect(await isStored(site, hash)).toBe(false)
  })

  test('keeps an image for another day after its URL is submitted again', async () => {
    const hash = await storeNewImage()
    await advanceHours(site, 30)
    await storeImageInput(site.db, site.media, { field: 'image', input: mediaPath(hash, 'full'), uploader: null })
    await sweepAfter(23)
    expect(await isStored(site, hash)).toBe(true)
  })

  test('keeps an image for another day after it is uploaded again', async () => {
    const bytes = await uniquePng()
    const hash = await storeImage(site.db, site.media, bytes, null)
    await advanceHours(site, 30)
    await storeImage(site.db, site.media, bytes, null)
    await sweepAfter(23)
    expect(await isStored(site, hash)).toBe(true)
  })

  test('allows a removed image to be stored again', async () => {
    const bytes = await uniquePng()
    const hash = await storeImage(site.db, site.media, bytes, null)
    await sweepAfter(25)
    expect(await isStored(site, hash)).toBe(false)
    expect(await storeImage(site.db, site.media, bytes, null)).toBe(hash)
    expect(await isStored(site, hash)).toBe(true)
  })

  test('continues after an image that cannot be removed, and retries it in the next run', async () => {
    const hashes = (await Promise.all([storeNewImage(), storeNewImage(), storeNewImage()])).toSorted()
    const [broken = ''] = hashes
    const sweep = openSweep(site, {
      ...site.media.store,
      remove: async (name) => {
        if (name.startsWith(broken)) throw new Error('read-only')
        await site.media.store.remove(name)
      },
    })
    await advanceHours(site, 25)
    await expect(sweep.run()).rejects.toThrow('read-only')
    expect(await Promise.all(hashes.map((hash) => isStored(site, hash)))).toEqual([true, false, false])
    await site.sweep.run()
    expect(await isStored(site, broken)).toBe(false)
  })

  test('examines all images, a few in each statement', async () => {
    const hashes = await Promise.all(Array.from({ length: 5 }, storeNewImage))
    for (const rangeSize of [1, 2, 5, 6]) {
      await site.db.updateTable('media').set({ unused_since: null }).execute()
      await openSweep(site, site.media.store, rangeSize).run()
      const marked = await site.db.selectFrom('media').select('hash').where('unused_since', 'is not', null).execute()
      expect(marked.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes))
    }
    await sweepAfter(25)
    expect(await Promise.all(hashes.map((hash) => isStored(site, hash)))).not.toContain(true)
  })

  test('leaves the remaining images to the next run when stopped', async () => {
    const hashes = (await Promise.all([storeNewImage(), storeNewImage()])).toSorted()
    const sweep = openSweep(site, {
      ...site.media.store,
      remove: (name) => {
        sweep.stop()
        return site.media.store.remove(name)
      },
    })
    await advanceHours(site, 25)
    await sweep.run()
    expect(await Promise.all(hashes.map((hash) => isStored(site, hash)))).toEqual([false, true])
  })

  test('removes each image once if two processes sweep', async () => {
    const hashes = await Promise.all([storeNewImage(), storeNewImage(), storeNewImage(), storeNewImage()])
    const names = hashes.flatMap((hash) => [`${hash}-card.webp`, `${hash}.webp`])
    await advanceHours(site, 25)
    const removed: string[] = []
    const store = {
      ...site.media.store,
      remove: (name: string) => {
        if (names.includes(name)) removed.push(name)
        return site.media.store.remove(name)
      },
    }
    const sweeps = [openSweep(site, store), openSweep(site, store)]
    await Promise.all(sweeps.map((sweep) => sweep.run()))
    expect(removed.toSorted()).toEqual(names.toSorted())
  })
})

describe('files without a row', () => {
  const folderOf = (name: string) => path.join(site.config.dataDir, 'media', name.slice(0, 2))
  const put = (name: string, ageHours: number) => {
    mkdirSync(folderOf(name), { recursive: true })
    const location = path.join(folderOf(name), name)
    writeFileSync(location, 'x')
    const then = new Date(Date.now() - ageHours * 3_600_000)
    utimesSync(location, then, then)
    return location
  }

  test('are removed after a day, including temporary files of a crash, unlike unknown files', async () => {
    const hash = 'ab'.repeat(32)
    const young = put(`${'cd'.repeat(32)}.webp`, 23)
    const foreign = [put('notes.txt', 99), put(`${hash}.png`, 99)]
    const old = [put(`${hash}.webp`, 25), put(`${hash}-card.webp`, 25), put(`${hash}.webp.0123456789ab`, 25)]
    const used = await storeNewImage()
    await makeScript(site.db, { image: used })
    put(`${used}.webp`, 99)
    const sweep = openSweep(site, site.media.store)
    await sweep.run()
    expect(old.filter((location) => existsSync(location))).toEqual([])
    expect([young, ...foreign].filter((location) => !existsSync(location))).toEqual([])
    expect(existsSync(path.join(folderOf(used), `${used}.webp`))).toBe(true)
    expect(await site.db.selectFrom('media').select('hash').where('hash', '=', hash).execute()).toEqual([])
    expect(readdirSync(folderOf(hash))).toContain(`${hash}.png`)
  })
})
