import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_IMAGE_BYTES } from '#contract/limits.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { encodeForm, fileForm } from '#tests/support/forms.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { decompressionBomb, uniquePng, solidImage } from '#tests/support/images.ts'
import { startS3, type TestS3 } from '#tests/support/s3.ts'

const TOO_LARGE = 'Image too large. Please use an image under ~3MB (or ~4MB base64).'

let site: TestApp
let member: { authorization: string }
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
})
afterAll(() => site.close())

async function upload(form: FormData, { app } = site, who: Record<string, string> = member) {
  const { payload, headers } = await encodeForm(form)
  return app.inject({ method: 'POST', url: '/api/media', payload, headers: { ...headers, ...who } })
}

const send = (payload: string | Buffer, type: string) =>
  site.app.inject({ method: 'POST', url: '/api/media', payload, headers: { ...member, 'content-type': type } })

/** A PNG of exactly so many bytes: what follows its end is ignored by decoders. */
async function pngOf(size: number): Promise<Buffer> {
  const bytes = await uniquePng()
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

describe('an image sent as a form', () => {
  test('is answered with the address to put into other forms, where it is served', async () => {
    const answer = await upload(fileForm(await solidImage(900, 600).png().toBuffer()))
    expect(answer.statusCode).toBe(201)
    const { url, url_card } = answer.json<{ url: string; url_card: string }>()
    expect(url).toMatch(/^\/media\/[0-9a-f]{64}\.webp$/)
    expect(url_card).toBe(url.replace('.webp', '-card.webp'))
    const widths = await Promise.all(
      [url, url_card].map(
        async (address) => (await sharp((await site.app.inject(address)).rawPayload).metadata()).width,
      ),
    )
    expect(widths).toEqual([900, 480])
  })

  test('may come with other fields, whatever its name and declared type say', async () => {
    const form = fileForm(await uniquePng(), { name: '../../etc/passwd.svg', type: 'text/html' })
    form.set('options', JSON.stringify({ for: 'cover' }))
    form.append('title', 'x'.repeat(5000))
    expect((await upload(form)).statusCode).toBe(201)
  })

  test('may weigh 3 MiB to the byte, and not one more', async () => {
    expect((await upload(fileForm(await pngOf(MAX_IMAGE_BYTES)))).statusCode).toBe(201)
    const response = await upload(fileForm(await pngOf(MAX_IMAGE_BYTES + 1)))
    expect(response.statusCode).toBe(413)
    expect(response.json()).toEqual({ code: 'image_too_large', error: TOO_LARGE })
  })

  test('is refused for its weight before it is read', async () => {
    const { statusCode, body } = await upload(fileForm(Buffer.alloc(9_000_000, 1)))
    expect([statusCode, body]).toEqual([413, JSON.stringify({ error: TOO_LARGE, code: 'image_too_large' })])
  })

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a bomb', () => decompressionBomb(30_000)],
    ['half a file', async () => (await solidImage(50, 50).png().toBuffer()).subarray(0, 60)],
    ['empty', () => Buffer.alloc(0)],
  ])('is refused when it is %s', async (_what, make) => {
    const answer = await upload(fileForm(await make()))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ code: 'bad_image', error: 'This image could not be read. Try another file.' })
  })
})

describe('a form', () => {
  const one = (change: (form: FormData, image: Blob) => void) => async () => {
    const form = new FormData()
    change(form, new Blob([new Uint8Array(await uniquePng())], { type: 'image/png' }))
    return form
  }
  test.each<[string, () => Promise<FormData>]>([
    ['without a file', one((form) => form.set('title', 'x'))],
    ['with the image in another field', one((form, image) => form.set('image', image))],
    ['with the image as text', one((form) => form.set('file', 'data:image/png;base64,AAAA'))],
    [
      'with two files',
      one((form, image) => {
        form.append('file', image)
        form.append('file', image)
      }),
    ],
  ])('%s is refused with a sentence that names the field', async (_what, make) => {
    const answer = await upload(await make())
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'malformed_request', error: "Send one image, in the field 'file'." },
    ])
  })

  test('with a thousand fields is refused', async () => {
    const form = fileForm(await uniquePng())
    for (let n = 0; n < 1000; n++) form.append(`field${n}`, 'x')
    expect((await upload(form)).statusCode).toBe(400)
  })

  test.each([
    ['that ends in the middle', (payload: Buffer) => payload.subarray(0, payload.length - 40)],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is something else', () => Buffer.from('hello')],
  ])('%s is refused', async (_what, spoil) => {
    const { payload, headers } = await encodeForm(fileForm(await uniquePng()))
    const answer = await send(spoil(payload), headers['content-type'])
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'malformed_request'])
  })

  test('without a line between its parts is refused', async () => {
    expect((await send('x', 'multipart/form-data')).statusCode).toBe(400)
  })

  test.each(['application/json', 'image/png', 'text/plain', 'application/x-www-form-urlencoded'])(
    'sent as %s is refused',
    async (type) => {
      const answer = await send('{}', type)
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([415, 'unsupported_type'])
    },
  )

  test('is taken by no other call', async () => {
    const { payload, headers } = await encodeForm(fileForm(await uniquePng()))
    const url = '/api/script-download'
    const answer = await site.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...member } })
    expect(answer.statusCode).toBe(415)
  })
})

test('whoever may not write is refused before the image is looked at', async () => {
  const muted = await signIn(site.db, await makeMember(site.db, { muted_until: 'infinity' }))
  expect((await upload(fileForm(Buffer.alloc(5_000_000)), site, muted)).statusCode).toBe(403)
  expect((await upload(fileForm(Buffer.alloc(5_000_000)), site, {})).statusCode).toBe(401)
})

test('more images at once than may wait are told to come later, and the others are kept', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      // Each another picture, so that each has to be decoded.
      const bytes = await solidImage(1500, 1500 + n)
        .png()
        .toBuffer()
      return upload(fileForm(bytes))
    }),
  )
  const busy = answers.filter(({ statusCode }) => statusCode === 503)
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(answers.length - busy.length)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy[0]?.json()).toMatchObject({ code: 'busy', error: expect.stringContaining('try again') })
  expect(busy[0]?.headers['retry-after']).toBeDefined()
})

test.each([
  ['of a length told', (payload: Buffer) => payload],
  ['of a length not told', (payload: Buffer) => new Blob([new Uint8Array(payload)]).stream()],
])('a far too large image %s is answered over a real connection, which stays good', async (_what, toBody) => {
  const origin = await site.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => site.app.listeningOrigin)
  const { payload, headers } = await encodeForm(fileForm(Buffer.alloc(20_000_000, 1)))
  const answer = await fetch(`${origin}/api/media`, {
    method: 'POST',
    body: toBody(payload) as BodyInit,
    headers: { ...headers, ...member },
    duplex: 'half',
  } as RequestInit)
  expect([answer.status, await answer.json()]).toEqual([413, { error: TOO_LARGE, code: 'image_too_large' }])
  expect((await fetch(`${origin}/api/script-tags`)).status).toBe(200)
})

describe('with storage that speaks S3', () => {
  let s3: TestS3
  let remote: TestApp
  beforeAll(async () => {
    s3 = await startS3()
    remote = await createTestApp({ mediaS3: s3.settings })
  })
  afterAll(() => remote.close())

  test('an image is kept there and served from there; while it is away, the answer says so', async () => {
    const who = await signIn(remote.db)
    const { url } = (await upload(fileForm(await uniquePng()), remote, who)).json<{ url: string }>()
    const answer = await remote.app.inject(url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(8)

    await s3.close()
    for (const away of [await remote.app.inject(url), await upload(fileForm(await uniquePng()), remote, who)]) {
      expect([away.statusCode, away.json<{ code: string }>().code]).toEqual([503, 'media_away'])
      expect(away.headers['cache-control']).toBe('no-store')
      expect(away.body).not.toContain('127.0.0.1')
    }
  })
})
