import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '#contract/scripts.ts'
import { mediaPath } from '#server/platform/media/store.ts'
import { storeImage } from '#server/platform/media/upload.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { solidImage, uniquePng } from '#tests/support/images.ts'
import { advanceHours, isStored } from '#tests/support/media.ts'
import { minimalScript, publish, sendChange, sendDelete, sendScript, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
})
afterAll(() => site.close())

const upload = async () => mediaPath(await storeImage(site.db, site.media, await uniquePng(), null), 'full')
const uploads = (count: number) => Promise.all(Array.from({ length: count }, upload))
const sendNew = (fields: object) => sendScript(site, member, { ...minimalScript, ...fields })
const hashOf = (path: string) => path.slice('/media/'.length, -'.webp'.length)
const read = async (id: number, as?: SignedIn) =>
  site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, ...(as ? { headers: as } : {}) })
const screenshots = async (id: number) => (await read(id)).json<{ script: Script }>().script.screenshots

interface Problem {
  error: string
  code: string
  fields: Record<string, string>
}

describe('screenshots', () => {
  test('are published in order, with their sizes and descriptions', async () => {
    const wide = await storeImage(site.db, site.media, await solidImage(1600, 900).png().toBuffer(), null)
    const small = await upload()
    const id = await publish(site, member, {
      title: 'Lamp',
      screenshots: [{ image: mediaPath(wide, 'full'), alt: '  The settings menu ' }, { image: small }],
    })
    expect(await screenshots(id)).toEqual([
      {
        image: mediaPath(wide, 'full'),
        image_card: mediaPath(wide, 'card'),
        alt: 'The settings menu',
        width: 1280,
        height: 720,
      },
      {
        image: small,
        image_card: small.replace('.webp', '-card.webp'),
        alt: 'Screenshot 2 of Lamp',
        width: 8,
        height: 8,
      },
    ])
  })

  test('are optional: a client that does not know them changes none', async () => {
    const [image = ''] = await uploads(1)
    const id = await publish(site, member)
    expect(await screenshots(id)).toEqual([])
    await sendChange(site, member, id, { screenshots: [{ image, alt: 'One' }] })
    await sendChange(site, member, id, { title: 'Other title' })
    expect(await screenshots(id)).toMatchObject([{ image, alt: 'One' }])
  })

  test('are replaced, reordered and removed by a change', async () => {
    const [a = '', b = '', c = ''] = await uploads(3)
    const id = await publish(site, member, { screenshots: [{ image: a }, { image: b }] })
    await sendChange(site, member, id, { screenshots: [{ image: b, alt: 'B' }, { image: a }, { image: c }] })
    expect((await screenshots(id)).map(({ image }) => image)).toEqual([b, a, c])
    await sendChange(site, member, id, { screenshots: [] })
    expect(await screenshots(id)).toEqual([])
  })

  test('appear once each, also when they are sent twice', async () => {
    const [image = ''] = await uploads(1)
    const card = image.replace('.webp', '-card.webp')
    const id = await publish(site, member, { screenshots: [{ image, alt: 'First' }, { image: card }] })
    expect(await screenshots(id)).toMatchObject([{ image, alt: 'First' }])
  })

  test('have the limit of eight', async () => {
    const images = await uploads(9)
    const send = (count: number) => sendNew({ screenshots: images.slice(0, count).map((image) => ({ image })) })
    expect((await send(8)).statusCode).toBe(201)
    const response = await send(9)
    expect([response.statusCode, response.json<Problem>().fields]).toEqual([
      400,
      { screenshots: 'A script can have at most 8 screenshots.' },
    ])
  })

  test.each([
    ['a data URL', 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', /^Upload each/],
    ['a URL of another site', 'https://example.com/a.webp', /^Upload each/],
    ['an image that is not stored', `/media/${'0'.repeat(64)}.webp`, /^Screenshot 1 is not stored any more/],
  ])('reject %s with a sentence', async (_what, image, sentence) => {
    const response = await sendNew({ screenshots: [{ image }] })
    expect(response.statusCode).toBe(400)
    expect(response.json<Problem>().fields['screenshots']).toMatch(sentence)
  })

  test.each([
    ['a'.repeat(141), /at most 140 characters/],
    ['a\u0007b', /control characters/],
  ])('reject the description %j', async (alt, sentence) => {
    const [image = ''] = await uploads(1)
    const response = await sendNew({ screenshots: [{ image, alt }] })
    expect(response.statusCode).toBe(400)
    expect(response.json<Problem>().error).toMatch(sentence)
  })

  test.each([
    [{ screenshots: 'x' }],
    [{ screenshots: [{}] }],
    [{ screenshots: [{ image: 1 }] }],
    [{ screenshots: null }],
  ])('reject the body %j', async (body) => {
    expect((await sendNew(body)).statusCode).toBe(400)
  })

  test('of a private script are only in its author’s response', async () => {
    const [image = ''] = await uploads(1)
    const id = await publish(site, member, { is_public: false, screenshots: [{ image }] })
    expect((await read(id)).statusCode).toBe(404)
    expect((await read(id, member)).json<{ script: Script }>().script.screenshots).toMatchObject([{ image }])
    expect((await sendChange(site, await signIn(site.db), id, { screenshots: [] })).statusCode).toBe(404)
  })

  test('stay stored while they are used, and are removed a day later', async () => {
    const [used = '', replaced = ''] = await uploads(2)
    const id = await publish(site, member, { screenshots: [{ image: used }, { image: replaced }] })
    const sweepAfter = async (hours: number) => {
      await advanceHours(site, hours)
      await site.sweep.run()
    }
    await sweepAfter(1000)
    await sendChange(site, member, id, { screenshots: [{ image: used }] })
    await sweepAfter(1)
    await sweepAfter(25)
    expect([await isStored(site, hashOf(used)), await isStored(site, hashOf(replaced))]).toEqual([true, false])
    await sendDelete(site, member, id)
    await sweepAfter(1)
    await sweepAfter(25)
    expect(await isStored(site, hashOf(used))).toBe(false)
  })

  test('are deleted with the author’s account', async () => {
    const [image = ''] = await uploads(1)
    const author = await makeMember(site.db, { username: 'leaving', slug: 'leaving' })
    const headers = await signIn(site.db, author)
    await publish(site, headers, { screenshots: [{ image }] })
    const response = await site.app.inject({
      method: 'DELETE',
      url: '/api/account',
      headers,
      payload: { username: 'leaving' },
    })
    expect(response.statusCode).toBe(200)
    const left = site.db.selectFrom('script_screenshots').selectAll().where('image', '=', hashOf(image))
    expect(await left.execute()).toEqual([])
  })

  test('that are sent by two edits at once are those of one of them', async () => {
    const images = await uploads(8)
    const id = await publish(site, member)
    const halves = [images.slice(0, 4), images.slice(4)]
    const edits = Array.from({ length: 10 }, (_, i) =>
      sendChange(site, member, id, { screenshots: (halves[i % 2] ?? []).map((image) => ({ image })) }),
    )
    const statuses = await Promise.all(edits.map(async (edit) => (await edit).statusCode))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(halves).toContainEqual((await screenshots(id)).map(({ image }) => image))
  })
})
