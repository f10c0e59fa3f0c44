import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptOperations } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/makers.ts'

const CODE = 'print("grüß dich")\n'
let site: TestApp
let id: number
beforeAll(async () => {
  site = await createTestApp()
  id = await makeScript(site.db, { title: 'Hello World', content: CODE, description: 'd'.repeat(3000), tags: ['a'] })
})
afterAll(() => site.close())

const details = (slug: string) => site.app.inject({ url: '/api/script-details-slug', query: { slug } })

describe('script details', () => {
  test('carry the code, the whole description and fit the contract', async () => {
    const answer = await details(`hello-world-${id}`)
    expect(answer.statusCode).toBe(200)
    const body = answer.json<{ script: { script_content: string; description: string; slug: string } }>()
    expect(Value.Check(scriptOperations['GET /api/script-details-slug'].response[200], body)).toBe(true)
    expect(body.script).toMatchObject({ script_content: CODE, slug: `hello-world-${id}` })
    expect(body.script.description).toHaveLength(3000)
  })

  test.each(['none', 'x-0', 'x-999999', 'x-99999999999999999999', '-', '', 'a'.repeat(401)])(
    'of %j are not there',
    async (slug) => {
      expect([400, 404]).toContain((await details(slug)).statusCode)
    },
  )

  test('of a private script are not there', async () => {
    const hidden = await makeScript(site.db, { is_public: false })
    expect((await details(`a-script-${hidden}`)).statusCode).toBe(404)
    expect((await site.app.inject(`/api/script-rating?id=${hidden}`)).statusCode).toBe(404)
    expect((await site.app.inject(`/api/script-download?id=${hidden}`)).statusCode).toBe(404)
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

  test('as a file is named after the slug', async () => {
    const odd = await makeScript(site.db, { title: 'Größe "x"' })
    const answer = await site.app.inject(`/api/script-download?id=${odd}`)
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="gr__e-x-${odd}.luau"; filename*=UTF-8''gr%C3%B6%C3%9Fe-x-${odd}.luau`,
    )
  })
})

describe('counting', () => {
  const counts = async (script: number) => {
    await site.visits.flush()
    return site.db
      .selectFrom('script_stats')
      .select(['view_count', 'download_count'])
      .where('script_id', '=', script)
      .executeTakeFirstOrThrow()
  }
  const from = (ip: string) => ({ remoteAddress: ip, headers: { 'user-agent': 'test' } })

  test('takes a visitor once, by the raw address, the button or a copy', async () => {
    const script = await makeScript(site.db)
    const copy = { method: 'POST' as const, url: '/api/script-download', payload: { script_id: script } }
    for (const ip of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) {
      await site.app.inject({ url: `/raw/x-${script}`, ...from(ip) })
      await site.app.inject({ url: `/api/script-download?id=${script}`, ...from(ip) })
      expect((await site.app.inject({ ...copy, ...from(ip) })).statusCode).toBe(202)
    }
    await site.app.inject({ url: '/api/script-details-slug', query: { slug: `x-${script}` }, ...from('10.0.0.1') })
    expect(await counts(script)).toEqual({ view_count: 1, download_count: 2 })
  })

  test('takes an IPv6 network as one visitor', async () => {
    const script = await makeScript(site.db)
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) {
      await site.app.inject({ url: `/raw/x-${script}`, ...from(ip) })
      await site.visits.flush()
    }
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 2 })
  })

  test('takes the same visitor again after 24 hours', async () => {
    const script = await makeScript(site.db)
    const visit = () => site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.9') })
    await visit()
    await counts(script)
    await sql`update script_visits set counted_at = now() - interval '25 hours'`.execute(site.db)
    await visit()
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 2 })
  })

  test('loses nothing when many visitors come at once', async () => {
    const script = await makeScript(site.db)
    const visitors = Array.from({ length: 40 }, (_, n) => `10.1.0.${n}`)
    await Promise.all(visitors.map((ip) => site.app.inject({ url: `/raw/x-${script}`, ...from(ip) })))
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 40 })
  })

  test('lets a page be when the script goes away meanwhile', async () => {
    const author_id = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id })
    await site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.3') })
    await site.db.deleteFrom('members').where('id', '=', author_id).execute()
    await site.visits.flush()
    expect((await site.app.inject('/healthz')).statusCode).toBe(200)
  })

  test.each([{}, { script_id: 'x' }, { script_id: 1, extra: 1 }, { script_id: 1.5 }, [], null])(
    'refuses %j',
    async (payload) => {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/api/script-download',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      })
      expect(answer.statusCode).toBe(400)
    },
  )
})
