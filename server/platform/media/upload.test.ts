import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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

async function upload(form: FormData, { app } = site, authorization: Record<string, string> = member) {
  const { payload, headers } = await encodeForm(form)
  return app.inject({ method: 'POST', url: '/api/media', payload, headers: { ...headers, ...authorization } })
}

const send = (payload: string | Buffer, type: string) =>
  site.app.inject({ method: 'POST', url: '/api/media', payload, headers: { ...member, 'content-type': type } })

/** A PNG of exactly this size. Decoders ignore the padding after its end. */
async function pngOf(size: number): Promise<Buffer> {
  const bytes = await uniquePng()
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

describe('an uploaded image', () => {
  test('is served at the returned URLs in two sizes', async () => {
    const response = await upload(fileForm(await solidImage(900, 600).png().toBuffer()))
    expect(response.statusCode).toBe(201)
    const { url, url_card } = response.json<{ url: string; url_card: string }>()
    expect(url).toMatch(/^\/media\/[0-9a-f]{64}\.webp$/)
    expect(url_card).toBe(url.replace('.webp', '-card.webp'))
    const widths = await Promise.all(
      [url, url_card].map(
        async (address) => (await sharp((await site.app.inject(address)).rawPayload).metadata()).width,
      ),
    )
    expect(widths).toEqual([900, 480])
  })

  test('is accepted with other fields and regardless of its name and declared type', async () => {
    const form = fileForm(await uniquePng(), { name: '../../etc/passwd.svg', type: 'text/html' })
    form.set('options', JSON.stringify({ for: 'cover' }))
    form.append('title', 'x'.repeat(5000))
    expect((await upload(form)).statusCode).toBe(201)
  })

  test('is accepted with exactly 3 MiB, and rejected with one byte more', async () => {
    expect((await upload(fileForm(await pngOf(MAX_IMAGE_BYTES)))).statusCode).toBe(201)
    const response = await upload(fileForm(await pngOf(MAX_IMAGE_BYTES + 1)))
    expect(response.statusCode).toBe(413)
    expect(response.json()).toEqual({ code: 'image_too_large', error: TOO_LARGE })
  })

  test('is rejected by its size before it is decoded', async () => {
    const { statusCode, body } = await upload(fileForm(Buffer.alloc(9_000_000, 1)))
    expect([statusCode, body]).toEqual([413, JSON.stringify({ error: TOO_LARGE, code: 'image_too_large' })])
  })

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['half a file', async () => (await solidImage(50, 50).png().toBuffer()).subarray(0, 60)],
    ['empty', () => Buffer.alloc(0)],
  ])('is rejected if it is %s', async (_name, make) => {
    const response = await upload(fileForm(await make()))
    expect(response.statusCode).toBe(400)
    const error = expect.stringMatching(
      /^This (image could not be read\. Try another file|file is not supported\. Use a PNG, .+)\.$/,
    )
    expect(response.json()).toEqual({ code: 'bad_image', error })
  })

  test.each([
    [30_000, 30_000],
    [1, 25_000_000],
  ])('is rejected if its header claims %i × %i pixels', async (width, height) => {
    const response = await upload(fileForm(decompressionBomb(width, height)))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'bad_image', error: expect.stringContaining('too large') })
  })
})

describe('an upload form', () => {
  const formWith = (change: (form: FormData, image: Blob) => void) => async () => {
    const form = new FormData()
    change(form, new Blob([new Uint8Array(await uniquePng())], { type: 'image/png' }))
    return form
  }
  test.each<[string, () => Promise<FormData>]>([
    ['without a file', formWith((form) => form.set('title', 'x'))],
    ['with the image in another field', formWith((form, image) => form.set('image', image))],
    ['with the image as text', formWith((form) => form.set('file', 'data:image/png;base64,AAAA'))],
    [
      'with two files',
      formWith((form, image) => {
        form.append('file', image)
        form.append('file', image)
      }),
    ],
  ])('%s is rejected with an error that names the field', async (_name, make) => {
    const response = await upload(await make())
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'malformed_request', error: "Send one image, in the field 'file'." },
    ])
  })

  test('with a thousand fields is rejected', async () => {
    const form = fileForm(await uniquePng())
    for (let n = 0; n < 1000; n++) form.append(`field${n}`, 'x')
    expect((await upload(form)).statusCode).toBe(400)
  })

  test.each([
    ['that is truncated', (payload: Buffer) => payload.subarray(0, payload.length - 40)],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is not multipart data', () => Buffer.from('hello')],
  ])('%s is rejected', async (_name, corrupt) => {
    const { payload, headers } = await encodeForm(fileForm(await uniquePng()))
    const response = await send(corrupt(payload), headers['content-type'])
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([400, 'malformed_request'])
  })

  test('without a boundary is rejected', async () => {
    expect((await send('x', 'multipart/form-data')).statusCode).toBe(400)
  })

  test.each(['application/json', 'image/png', 'text/plain', 'application/x-www-form-urlencoded'])(
    'sent as %s is rejected',
    async (type) => {
      const response = await send('{}', type)
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([415, 'unsupported_type'])
    },
  )

  test('is rejected by other operations', async () => {
    const { payload, headers } = await encodeForm(fileForm(await uniquePng()))
    const url = '/api/script-download'
    const response = await site.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...member } })
    expect(response.statusCode).toBe(415)
  })
})

test('rejects muted members and visitors before decoding the image', async () => {
  const muted = await signIn(site.db, await makeMember(site.db, { muted_until: 'infinity' }))
  expect((await upload(fileForm(Buffer.alloc(5_000_000)), site, muted)).statusCode).toBe(403)
  expect((await upload(fileForm(Buffer.alloc(5_000_000)), site, {})).statusCode).toBe(401)
})

test('rejects concurrent uploads beyond the queue limit as busy, and stores the others', async () => {
  const uploads = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      // Every image is different, so that each one must be decoded.
      const bytes = await solidImage(700, 700 + n)
        .png()
        .toBuffer()
      return { form: fileForm(bytes), headers: await signIn(site.db) }
    }),
  )
  const responses = await Promise.all(uploads.map(({ form, headers }) => upload(form, site, headers)))
  const busy = responses.filter(({ statusCode }) => statusCode === 503)
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(responses.length - busy.length)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy[0]?.json()).toMatchObject({ code: 'busy', error: expect.stringContaining('try again') })
  expect(busy[0]?.headers['retry-after']).toBeDefined()
})

test("rejects a member's concurrent uploads beyond four with a sentence", async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, async (_, n) =>
      upload(
        fileForm(
          await solidImage(1500, 1600 + n)
            .png()
            .toBuffer(),
        ),
      ),
    ),
  )
  const rejected = responses.filter(({ statusCode }) => statusCode === 429)
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(responses.length - rejected.length)
  expect(rejected[0]?.json()).toMatchObject({ code: 'too_many_images', error: expect.stringContaining('try again') })
  expect(rejected[0]?.headers['retry-after']).toBe('5')
})

test.each([
  ['with a content length', (payload: Buffer) => payload, 413, 'image_too_large'],
  ['in chunks', (payload: Buffer) => new Blob([new Uint8Array(payload)]).stream(), 411, 'length_required'],
])(
  'an oversized image %s is rejected over a real connection, and the server stays available',
  async (_name, toBody, status, code) => {
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => site.app.listeningOrigin)
    const { payload, headers } = await encodeForm(fileForm(Buffer.alloc(20_000_000, 1)))
    const response = await fetch(`${origin}/api/media`, {
      method: 'POST',
      body: toBody(payload) as BodyInit,
      headers: { ...headers, ...member },
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toMatchObject([status, { code }])
    expect((await fetch(`${origin}/api/script-tags`)).status).toBe(200)
  },
)

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])(
  'an image is rejected for now if the disk fails with %s',
  async (code) => {
    const bytes = await uniquePng()
    const failing = vi
      .spyOn(site.media.store, 'put')
      .mockRejectedValue(Object.assign(new Error(`${code}: /srv/x`), { code }))
    const response = await upload(fileForm(bytes))
    failing.mockRestore()
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '60'])
    expect(response.json()).toEqual({
      code: 'storage_failed',
      error: 'The site cannot save files right now. Please try again in a minute.',
    })
    expect((await upload(fileForm(bytes))).statusCode).toBe(201)
  },
)

describe('with S3-compatible storage', () => {
  let s3: TestS3
  let remote: TestApp
  beforeAll(async () => {
    s3 = await startS3()
    remote = await createTestApp({ mediaS3: s3.settings })
  })
  afterAll(() => remote.close())

  test('stores and serves images there, and returns 503 while it is unavailable', async () => {
    const headers = await signIn(remote.db)
    const { url } = (await upload(fileForm(await uniquePng()), remote, headers)).json<{ url: string }>()
    const response = await remote.app.inject(url)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await sharp(response.rawPayload).metadata()).width).toBe(8)

    await s3.close()
    for (const failure of [await remote.app.inject(url), await upload(fileForm(await uniquePng()), remote, headers)]) {
      expect([failure.statusCode, failure.json<{ code: string }>().code]).toEqual([503, 'media_away'])
      expect(failure.headers['cache-control']).toBe('no-store')
      expect(failure.body).not.toContain('127.0.0.1')
    }
  })
})
