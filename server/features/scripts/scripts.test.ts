import { gunzipSync } from 'node:zlib'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptOperations } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

const CODE = 'print("grüß dich")\n'
let site: TestApp
let id: number
beforeAll(async () => {
  site = await createTestApp()
  id = await makeScript(site.db, { title: 'Hello World', content: CODE, description: 'd'.repeat(3000), tags: ['a'] })
})
afterAll(() => site.close())

const details = (slug: string) => site.app.inject({ url: '/api/script-details-slug', query: { slug } })

const makeBannedMember = (banned_until: Date | 'infinity') => makeMember(site.db, { banned_until })
const tomorrow = () => new Date(Date.now() + 86_400_000)

describe('script details', () => {
  test('contain the code and the complete description, and match the contract', async () => {
    const response = await details(`hello-world-${id}`)
    expect(response.statusCode).toBe(200)
    const body = response.json<{ script: { script_content: string; description: string; slug: string } }>()
    expect(Value.Check(scriptOperations['GET /api/script-details-slug'].response[200], body)).toBe(true)
    expect(body.script).toMatchObject({ script_content: CODE, slug: `hello-world-${id}` })
    expect(body.script.description).toHaveLength(3000)
  })

  test.each([
    ['is shown if the profile shows it', {}, 12],
    ['is hidden if the profile hides it', { show_script_stats: false }, null],
    ['is hidden if the profile is private', { is_private: true }, null],
  ])('the author’s reputation %s', async (_name, input, shown) => {
    const author_id = await makeMember(site.db, { reputation: 12, ...input })
    const script = await makeScript(site.db, { author_id })
    const readReputation = async (headers = {}) =>
      (await site.app.inject({ url: `/api/script-details-slug?slug=x-${script}`, headers })).json<{
        script: { author_reputation: number | null }
      }>().script.author_reputation
    expect(await readReputation()).toBe(shown)
    expect(await readReputation(await signIn(site.db))).toBe(shown)
    expect(await readReputation(await signIn(site.db, author_id))).toBe(12)
  })

  test.each([
    ['no number', 'none'],
    ['a number alone', '1'],
    ['number 0', 'x-0'],
    ['an unknown number', 'x-999999'],
    ['a number above the maximum', 'x-2147483648'],
    ['a huge number', 'x-99999999999999999999'],
    ['a broken escape', '%ff'],
    ['a hyphen', '-'],
    ['Arabic-Indic digits', 'x-١'],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['10,000 digits', `x-${'1'.repeat(10_000)}`],
  ])('return 404 for a slug with %s', async (_name, slug) => {
    const response = await site.app.inject(`/api/script-details-slug?slug=${slug}`)
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([404, 'script_not_found'])
    expect((await site.app.inject(`/raw/${slug}`)).statusCode).toBe(404)
  })

  test('return 400 without a slug', async () => {
    expect((await details('')).statusCode).toBe(400)
  })

  test.each([
    ['a private script', async () => makeScript(site.db, { is_public: false })],
    ['a banned author', async () => makeScript(site.db, { author_id: await makeBannedMember('infinity') })],
    [
      'an author banned until tomorrow',
      async () => makeScript(site.db, { author_id: await makeBannedMember(tomorrow()) }),
    ],
  ])('of %s are available nowhere', async (_name, make) => {
    const hidden = await make()
    const addresses = ['script-details-slug?slug=x-', 'script-rating?id=', 'script-download?id=', '../raw/x-']
    for (const address of addresses) {
      const response = await site.app.inject(`/api/${address}${hidden}`.replace('/api/..', ''))
      expect(response.statusCode, address).toBe(404)
    }
    const copy = { method: 'POST' as const, url: '/api/script-download', payload: { script_id: hidden } }
    expect((await site.app.inject(copy)).statusCode).toBe(404)
  })

  test('of an author whose ban has ended are available again', async () => {
    const script = await makeScript(site.db, { author_id: await makeBannedMember(new Date(Date.now() - 60_000)) })
    expect((await details(`x-${script}`)).statusCode).toBe(200)
  })
})

describe('the code as text', () => {
  test('is plain text with nosniff and supports revalidation by ETag', async () => {
    const response = await site.app.inject(`/raw/anything-${id}`)
    expect(response.payload).toBe(CODE)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    const headers = { 'if-none-match': String(response.headers.etag) }
    expect((await site.app.inject({ url: `/raw/anything-${id}`, headers })).statusCode).toBe(304)
  })

  test('is 404 in plain text for an unknown script', async () => {
    const response = await site.app.inject('/raw/nothing-99999')
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toContain('text/plain')
  })

  test('is served byte for byte', async () => {
    const content = '-- 😀 \u202e </script>\r\n\tprint("\\0")'
    const script = await makeScript(site.db, { content })
    for (const url of [`/raw/x-${script}`, `/api/script-download?id=${script}`]) {
      const response = await site.app.inject(url)
      expect(response.rawPayload).toEqual(Buffer.from(content))
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  test('of 1 MB is served complete and compressed', async () => {
    const content = 'print(1)\n'.repeat(116_000)
    const script = await makeScript(site.db, { content })
    const response = await site.app.inject({ url: `/raw/x-${script}`, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(response.rawPayload).toString()).toBe(content)
  })

  test('downloads as a file whose name file systems take', async () => {
    const script = await makeScript(site.db, { title: '漢'.repeat(100) })
    const { headers } = await site.app.inject(`/api/script-download?id=${script}`)
    const name = decodeURIComponent(/''(.*)$/.exec(String(headers['content-disposition']))?.[1] ?? '')
    expect(name).toMatch(new RegExp(`^漢{80,}-${script}\\.luau$`))
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  test('downloads as a file named after the slug', async () => {
    const script = await makeScript(site.db, { title: 'Größe "x"' })
    const response = await site.app.inject(`/api/script-download?id=${script}`)
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="gr__e-x-${script}.luau"; filename*=UTF-8''gr%C3%B6%C3%9Fe-x-${script}.luau`,
    )
  })
})
