import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

let site: TestApp
let second: TestApp
beforeAll(async () => {
  site = await createTestApp()
  second = await createAppOn(site.database, site.pool, { secretKey: site.config.secretKey })
})
afterAll(async () => {
  await second.close()
  await site.close()
})

describe('visit counting', () => {
  const counts = async (script: number) => {
    await site.visits.flush()
    await second.visits.flush()
    return site.db
      .selectFrom('script_stats')
      .select(['view_count', 'download_count'])
      .where('script_id', '=', script)
      .executeTakeFirstOrThrow()
  }
  const from = (ip: string) => ({ remoteAddress: ip, headers: { 'user-agent': 'test' } })

  test('counts a visitor once across raw URL, download and copy', async () => {
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

  test('counts an IPv6 /64 network as one visitor', async () => {
    const script = await makeScript(site.db)
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) {
      await site.app.inject({ url: `/raw/x-${script}`, ...from(ip) })
      await site.visits.flush()
    }
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 2 })
  })

  test('counts the same visitor again after 24 hours', async () => {
    const script = await makeScript(site.db)
    const visit = () => site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.9') })
    await visit()
    await counts(script)
    await sql`update script_visits set counted_at = now() - interval '25 hours'`.execute(site.db)
    await visit()
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 2 })
  })

  test('a visit that the database rejects does not take others along', async () => {
    const full = await makeScript(site.db, { stats: { view_count: 2_147_483_647 } })
    const scripts = [await makeScript(site.db), full, await makeScript(site.db)]
    for (const script of scripts) site.visits.count(script, 'view', Buffer.alloc(16, script))
    expect(await Promise.all(scripts.map(async (script) => (await counts(script)).view_count))).toEqual([
      1, 2_147_483_647, 1,
    ])
  })

  test('counts every visitor of a burst', async () => {
    const script = await makeScript(site.db)
    const visitors = Array.from({ length: 40 }, (_, n) => `10.1.0.${n}`)
    await Promise.all(visitors.map((ip) => site.app.inject({ url: `/raw/x-${script}`, ...from(ip) })))
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 40 })
  })

  test.each([1, 2])('counts a visitor with 20 concurrent requests to two servers once, round %d', async () => {
    const script = await makeScript(site.db)
    const servers = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? site : second))
    await Promise.all(servers.map(({ app }) => app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.7') })))
    await Promise.all(servers.map(({ visits }) => visits.flush()))
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 1 })
  })

  test('counts at most four browsers of one network, however many it claims to have', async () => {
    const script = await makeScript(site.db)
    for (let n = 0; n < 60; n++) {
      const headers = { 'user-agent': `Browser ${n}` }
      await site.app.inject({ url: `/raw/x-${script}`, headers })
      await site.app.inject({ url: '/api/script-details-slug', query: { slug: `x-${script}` }, headers })
    }
    expect(await counts(script)).toEqual({ view_count: 4, download_count: 4 })
  })

  test('does not count HEAD requests', async () => {
    const script = await makeScript(site.db)
    const urls = [`/raw/x-${script}`, `/api/script-download?id=${script}`, `/api/script-details-slug?slug=x-${script}`]
    for (const url of urls) {
      const response = await site.app.inject({ method: 'HEAD', url, ...from('10.0.0.8') })
      expect([response.statusCode, response.payload]).toEqual([200, ''])
    }
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 0 })
  })

  test('stores nothing that identifies a visitor', async () => {
    const script = await makeScript(site.db)
    await site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.77') })
    await site.visits.flush()
    const rows = await site.db.selectFrom('script_visits').selectAll().where('script_id', '=', script).execute()
    expect(rows.map(({ visitor }) => visitor.length)).toEqual([16])
    expect(rows[0]?.visitor.toString('latin1')).not.toContain('10.0')
  })

  test('does not affect the page if it fails, and is retried', async () => {
    const script = await makeScript(site.db)
    await sql`alter table script_visits rename to unavailable_visits`.execute(site.db)
    expect((await site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.6') })).statusCode).toBe(200)
    await site.visits.flush()
    expect((await site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.6') })).statusCode).toBe(200)
    await sql`alter table unavailable_visits rename to script_visits`.execute(site.db)
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 1 })
  })

  test('completes before the server closes', async () => {
    const script = await makeScript(site.db)
    const third = await createAppOn(site.database, site.pool)
    await third.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.5') })
    await third.close()
    expect(await counts(script)).toEqual({ view_count: 0, download_count: 1 })
  })

  test('tolerates scripts that were deleted before the flush', async () => {
    const author_id = await makeMember(site.db)
    const script = await makeScript(site.db, { author_id })
    await site.app.inject({ url: `/raw/x-${script}`, ...from('10.0.0.3') })
    await site.db.deleteFrom('members').where('id', '=', author_id).execute()
    await site.visits.flush()
    expect((await site.app.inject('/healthz')).statusCode).toBe(200)
  })

  test.each([{}, { script_id: 'x' }, { script_id: 1, extra: 1 }, { script_id: 1.5 }, [], null])(
    'rejects %j',
    async (payload) => {
      const response = await site.app.inject({
        method: 'POST',
        url: '/api/script-download',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      })
      expect(response.statusCode).toBe(400)
    },
  )
})
