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

const makeBanned = (banned_until: Date | 'infinity') => makeMember(site.db, { banned_until })
const tomorrow = () => new Date(Date.now() + 86_400_000)

describe('script details', () => {
  test('carry the code, the whole description and fit the contract', async () => {
    const answer = await details(`hello-world-${id}`)
    expect(answer.statusCode).toBe(200)
    const body = answer.json<{ script: { script_content: string; description: string; slug: string } }>()
    expect(Value.Check(scriptOperations['GET /api/script-details-slug'].response[200], body)).toBe(true)
    expect(body.script).toMatchObject({ script_content: CODE, slug: `hello-world-${id}` })
    expect(body.script.description).toHaveLength(3000)
  })

  test.each([
    ['is shown where the profile shows it', {}, 12],
    ['is hidden where the profile hides it', { show_script_stats: false }, null],
    ['is hidden where the profile is private', { is_private: true }, null],
  ])('the author’s reputation %s', async (_how, input, shown) => {
    const author_id = await makeMember(site.db, { reputation: 12, ...input })
    const hers = await makeScript(site.db, { author_id })
    const ask = async (headers = {}) =>
      (await site.app.inject({ url: `/api/script-details-slug?slug=x-${hers}`, headers })).json<{
        script: { author_reputation: number | null }
      }>().script.author_reputation
    expect(await ask()).toBe(shown)
    expect(await ask(await signIn(site.db))).toBe(shown)
    expect(await ask(await signIn(site.db, author_id))).toBe(12)
  })

  test.each([
    ['no number', 'none'],
    ['a number alone', '1'],
    ['number 0', 'x-0'],
    ['an unknown number', 'x-999999'],
    ['a number past the last', 'x-2147483648'],
    ['a huge number', 'x-99999999999999999999'],
    ['a broken escape', '%ff'],
    ['a hyphen', '-'],
    ['digits of another script', 'x-١'],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['10,000 digits', `x-${'1'.repeat(10_000)}`],
  ])('of a slug with %s are not there', async (_what, slug) => {
    const answer = await site.app.inject(`/api/script-details-slug?slug=${slug}`)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'script_not_found'])
    expect((await site.app.inject(`/raw/${slug}`)).statusCode).toBe(404)
  })

  test('without a slug are refused', async () => {
    expect((await details('')).statusCode).toBe(400)
  })

  test.each([
    ['a private script', async () => makeScript(site.db, { is_public: false })],
    ['a banned author', async () => makeScript(site.db, { author_id: await makeBanned('infinity') })],
    ['an author banned until tomorrow', async () => makeScript(site.db, { author_id: await makeBanned(tomorrow()) })],
  ])('of %s are nowhere', async (_what, make) => {
    const hidden = await make()
    const addresses = ['script-details-slug?slug=x-', 'script-rating?id=', 'script-download?id=', '../raw/x-']
    for (const address of addresses) {
      const answer = await site.app.inject(`/api/${address}${hidden}`.replace('/api/..', ''))
      expect(answer.statusCode, address).toBe(404)
    }
    const copy = { method: 'POST' as const, url: '/api/script-download', payload: { script_id: hidden } }
    expect((await site.app.inject(copy)).statusCode).toBe(404)
  })

  test('of an author whose ban is over are there again', async () => {
    const back = await makeScript(site.db, { author_id: await makeBanned(new Date(Date.now() - 60_000)) })
    expect((await details(`x-${back}`)).statusCode).toBe(200)
  })
})

describe('the code as text', () => {
  test('is plain, never sniffed, and known again by its tag', async () => {
    const answer = await site.app.inject(`/raw/anything-${id}`)
    expect(answer.payload).toBe(CODE)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const headers = { 'if-none-match': String(answer.headers.etag) }
    expect((await site.app.inject({ url: `/raw/anything-${id}`, headers })).statusCode).toBe(304)
  })

  test('of nothing is a plain sentence with 404', async () => {
    const answer = await site.app.inject('/raw/nothing-99999')
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('text/plain')
  })

  test('is as it was written, whatever it holds', async () => {
    const content = '-- 😀 \u202e </script>\r\n\tprint("\\0")'
    const odd = await makeScript(site.db, { content })
    for (const url of [`/raw/x-${odd}`, `/api/script-download?id=${odd}`]) {
      const answer = await site.app.inject(url)
      expect(answer.rawPayload).toEqual(Buffer.from(content))
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  test('of a megabyte comes whole and compressed', async () => {
    const content = 'print(1)\n'.repeat(116_000)
    const long = await makeScript(site.db, { content })
    const answer = await site.app.inject({ url: `/raw/x-${long}`, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(answer.rawPayload).toString()).toBe(content)
  })

  test('as a file is named after the slug', async () => {
    const odd = await makeScript(site.db, { title: 'Größe "x"' })
    const answer = await site.app.inject(`/api/script-download?id=${odd}`)
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="gr__e-x-${odd}.luau"; filename*=UTF-8''gr%C3%B6%C3%9Fe-x-${odd}.luau`,
    )
  })
})
