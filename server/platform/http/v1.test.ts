import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import Value from 'typebox/value'
import { type Operation, ProblemDetails } from '#contract/operation.ts'
import { operations } from '#contract/operations.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { describeDeprecation } from './v1.ts'

let site: TestApp
let memberId: number
let scriptId: number
beforeAll(async () => {
  site = await createTestApp()
  memberId = await makeMember(site.db)
  scriptId = await makeScript(site.db, { author_id: memberId, title: 'Camera shake' })
})
afterAll(() => site.close())

const get = (url: string, headers: object = {}) => site.app.inject({ url: `/api/v1${url}`, headers: { ...headers } })

describe('a route of the stable API', () => {
  test.each([
    ['/scripts/{slug}', '/api/script-details-slug?slug={slug}'],
    ['/scripts/{id}', '/api/script-details-slug?slug={slug}'],
    ['/scripts/{slug}/versions', '/api/script-versions?id={id}'],
    ['/scripts/{slug}/versions/1', '/api/script-version?id={id}&number=1'],
    ['/scripts/{slug}/code', '/api/script-download?id={id}'],
    ['/scripts/{slug}/reviews', '/api/script-rating?id={id}'],
    ['/scripts/{slug}/comments', '/api/script-comments?id={id}'],
    ['/scripts/{slug}/related', '/api/related-scripts?id={id}'],
    ['/members/{member}', '/api/user-profiles?user_id={member}'],
    ['/tags', '/api/script-tags'],
    ['/facets?search=camera', '/api/script-facets?search=camera'],
    ['/giveaways', '/api/giveaways'],
    ['/site', '/api/site'],
  ])('%s answers like %s', async (stable, operation) => {
    const fill = (url: string) =>
      url
        .replaceAll('{slug}', `camera-shake-${scriptId}`)
        .replaceAll('{id}', String(scriptId))
        .replaceAll('{member}', String(memberId))
    const [one, other] = [await get(fill(stable)), await site.app.inject(fill(operation))]
    expect(one.statusCode).toBe(200)
    expect(one.body).toBe(other.body)
  })

  test('has an operation and parameters that exist', async () => {
    const { paths } = (await get('/openapi.json')).json<{ paths: Record<string, Record<string, object>> }>()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const stable = described.filter((name) => name.includes(' /api/'))
    const declared = Object.values<Operation>(operations).flatMap(({ stable: route }) => route?.route ?? [])
    expect(stable.toSorted()).toEqual(declared.toSorted())
    expect(described).toContain('GET /feeds/scripts.atom')
    expect(JSON.stringify(paths['/api/v1/giveaways'])).not.toContain('"admin"')
    expect(paths['/api/v1/favorites/{slug}']?.['put']).toMatchObject({
      parameters: [{ name: 'slug', in: 'path', required: true }],
    })
    expect(JSON.stringify(paths['/api/v1/favorites/{slug}'])).not.toContain('script_id')
    expect(paths['/api/v1/scripts/{slug}/versions']?.['put']).toMatchObject({ 'x-scope': 'versions:write' })
  })

  test('writes with a token', async () => {
    const token = await makeApiToken(site.db, memberId)
    const other = await makeScript(site.db)
    const send = (method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
      site.app.inject({ method, url: `/api/v1${url}`, headers: token, ...(payload ? { payload } : {}) })
    const responses = [
      await send('PUT', `/favorites/x-${other}`),
      await send('PUT', `/scripts/${other}/rating`, { rating: 4 }),
      await send('POST', `/scripts/${other}/comments`, { text: 'How?' }),
      await send('PATCH', `/scripts/${scriptId}`, { summary: 'Shakes the camera.' }),
      await send('DELETE', `/favorites/${other}`),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 201, 200, 200])
    const { ratings, pagination } = (await get('/ratings', token)).json()
    expect(ratings).toMatchObject([{ rating: 4, script: { id: other } }])
    expect(pagination).toEqual({ next_cursor: null })
    const { own_rating } = (await get(`/scripts/${other}/reviews`, token)).json()
    expect(own_rating).toMatchObject({ rating: 4 })
  })

  test.each([
    ['/giveaways?admin=true', 'admin'],
    ['/scripts?ids=1,2', 'ids'],
    ['/tags?page=1', 'page'],
    ['/scripts/x-1/versions?id=2', 'id'],
    ['/members/ada?user_id=2', 'user_id'],
    ['/favorites?sort=added&__proto__=1', '__proto__'],
  ])('rejects the parameter of %s that it does not have', async (url, name) => {
    const admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
    const response = await get(url, admin)
    const sentence = `The request has an unknown parameter: ${name}.`
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { error: sentence, fields: { [name]: sentence } },
    ])
  })

  test('suggests another spelling for a search without results, like the list of the site', async () => {
    const app = await createAppOn(site.database, site.pool, { catalogueIndex: 'memory' })
    await makeScript(site.db, { title: 'Signal tower' })
    await expect.poll(() => app.catalogue.isInMemory).toBe(true)
    for (const url of ['/api/scripts?search=signl', '/api/v1/scripts?search=signl']) {
      await expect.poll(async () => (await app.app.inject(url)).json().suggestion).toBe('signal')
    }
    expect((await app.app.inject('/api/v1/scripts?search=signal')).json()).not.toHaveProperty('suggestion')
    await app.close()
  })

  test('rejects fields that it does not have, and values of another type', async () => {
    const headers = await signIn(site.db, memberId)
    const post = (payload: object) => site.app.inject({ method: 'POST', url: '/api/v1/scripts', headers, payload })
    const script = { title: 'New', description: 'Text.', script_content: 'return 1' }
    const responses = [
      await post({ ...script, author_id: 1 }),
      await post({ ...script, game_id: 5, is_universal: false }),
      await post({ ...script, version: '' }),
    ]
    expect(responses.map((response) => response.json().error)).toEqual([
      'The request has an unknown field: author_id.',
      'Game ID must be text.',
      'Version must not be empty.',
    ])
  })

  test('lists own ratings by cursor', async () => {
    const rater = await makeMember(site.db)
    const token = await makeApiToken(site.db, rater, ['ratings:read'])
    for (let i = 0; i < 5; i++) {
      const script_id = await makeScript(site.db)
      await site.db
        .insertInto('ratings')
        .values({ script_id, member_id: rater, rating: i + 1 })
        .execute()
    }
    const found: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { ratings: { rating: number }[]; pagination: { next_cursor: string | null } } = (
        await get(`/ratings?limit=2&cursor=${cursor}`, token)
      ).json()
      found.push(...page.ratings.map(({ rating }) => rating))
      cursor = page.pagination.next_cursor
    }
    expect(found).toEqual([5, 4, 3, 2, 1])
  })
})

describe('a response of the stable API', () => {
  test('has an ETag, and is 304 to a client that has it', async () => {
    for (const url of ['/scripts', `/scripts/${scriptId}`, `/scripts/${scriptId}/versions`, '/tags', '/site']) {
      const { headers } = await get(url)
      expect(headers['etag'], url).toMatch(/^".+"$/)
      for (const known of [headers['etag'], `"other", W/${String(headers['etag'])}`, '*']) {
        const again = await get(url, { 'if-none-match': known })
        expect([again.statusCode, again.body], url).toEqual([304, ''])
        expect(again.headers['etag']).toBe(headers['etag'])
      }
    }
  })

  test('may be read by pages of other sites, without credentials', async () => {
    for (const url of ['/scripts', '/scripts/none-999999', '/nothing']) {
      const { headers } = await get(url, { origin: 'https://other.example' })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toContain('RateLimit')
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
    const preflight = await site.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/scripts',
      headers: { origin: 'https://other.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD')
    expect(preflight.headers['access-control-allow-headers']).not.toMatch(/authorization/i)
    const write = await site.app.inject({ method: 'DELETE', url: `/api/v1/scripts/${scriptId}` })
    expect(write.headers).not.toHaveProperty('access-control-allow-origin')
    expect((await site.app.inject('/api/scripts')).headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    ['/scripts/none-999999', 404, 'script_not_found'],
    ['/scripts/none', 404, 'script_not_found'],
    ['/scripts/none/versions', 404, 'script_not_found'],
    ['/nothing', 404, 'not_found'],
    ['/scripts?limit=0', 400, 'invalid'],
    ['/scripts?cursor=abc', 400, 'invalid'],
    ['/favorites', 401, 'unauthorized'],
  ])('for an error (%s) is problem details with the usual fields', async (url, status, code) => {
    const response = await get(url)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    const problem = response.json()
    expect(Value.Check(ProblemDetails, problem)).toBe(true)
    expect(problem).toMatchObject({ status, code, detail: problem.error, type: `/api/docs#error-${code}` })
    expect(response.statusCode).toBe(status)
  })

  test('says what is left of the limits', async () => {
    const limited = await createAppOn(site.database, site.pool, { rateLimit: true }, { isFirst: false })
    const read = (headers: object) => limited.app.inject({ url: '/api/v1/tags', headers: { ...headers } })
    const first = await read({})
    expect(first.headers['ratelimit-policy']).toBe('"address-read";q=1200;w=20')
    expect(first.headers['ratelimit']).toBe('"address-read";r=1199;t=20')
    const { headers } = await read(await makeApiToken(site.db, memberId))
    expect(headers['ratelimit-policy']).toBe('"address-read";q=1200;w=20, "token-read";q=600;w=60')
    expect(headers['ratelimit']).toMatch(/^"address-read";r=1198;t=\d+, "token-read";r=599;t=60$/)
    const token = await makeApiToken(site.db, memberId)
    const favorite = () => limited.app.inject({ method: 'PUT', url: `/api/v1/favorites/${scriptId}`, headers: token })
    expect((await favorite()).headers['ratelimit']).toBe(
      '"address-write";r=599;t=60, "token-write";r=59;t=60, "member-write";r=119;t=60',
    )
    await limited.close()
  })

  test('of a deprecated route says since when, until when and what replaces it', () => {
    expect(describeDeprecation({ since: '2030-01-31', sunset: '2031-01-31', successor: '/api/v2/scripts' })).toEqual({
      deprecation: '@1896048000',
      sunset: 'Fri, 31 Jan 2031 00:00:00 GMT',
      link: '</api/docs#versions>; rel="deprecation"; type="text/html", </api/v2/scripts>; rel="successor-version"',
    })
  })
})

describe('cursors of the list of scripts', () => {
  interface Page {
    scripts: { id: number }[]
    pagination: { total: number; next_cursor: string | null }
  }
  const list = async (query: string, cursor: string | null): Promise<Page> =>
    (await get(`/scripts?${query}${cursor ? `&cursor=${cursor}` : ''}`)).json()

  test.each(['database', 'memory'] as const)(
    'neither repeat nor skip scripts while others come and go (%s)',
    async (index) => {
      const author = await makeMember(site.db)
      const ids: number[] = []
      for (let i = 0; i < 25; i++) {
        ids.push(await makeScript(site.db, { author_id: author, created_at: new Date(1_700_000_000_000 + i * 1000) }))
      }
      const app = index === 'memory' ? await createAppOn(site.database, site.pool, { catalogueIndex: 'memory' }) : site
      await expect.poll(() => app.catalogue.isInMemory).toBe(index === 'memory')
      const read = async (cursor: string | null): Promise<Page> => {
        const url = `/api/v1/scripts?author=${author}&limit=5${cursor ? `&cursor=${cursor}` : ''}`
        return (await app.app.inject(url)).json()
      }
      const newest = ids.toReversed()
      const first = await read(null)
      expect(first.scripts.map(({ id }) => id)).toEqual(newest.slice(0, 5))
      // Three newer scripts, and the last one of the page is deleted.
      const headers = await signIn(site.db, author)
      for (let i = 0; i < 3; i++) {
        const payload = { title: 'New', description: 'Text.', script_content: 'return 1' }
        await app.app.inject({ method: 'POST', url: '/api/v1/scripts', headers, payload })
      }
      await app.app.inject({ method: 'DELETE', url: `/api/v1/scripts/${newest[4]}`, headers })
      const found: number[] = []
      for (let { next_cursor: cursor } = first.pagination; cursor !== null;) {
        const page = await read(cursor)
        found.push(...page.scripts.map(({ id }) => id))
        cursor = page.pagination.next_cursor
      }
      expect(found).toEqual(newest.slice(5))
      if (index === 'memory') await app.close()
    },
  )

  test('belong to their filters, sort and order', async () => {
    for (let i = 0; i < 3; i++) await makeScript(site.db, { title: `Many ${i}` })
    const { pagination } = await list('limit=1', null)
    expect(pagination.next_cursor).not.toBeNull()
    const other = await get(`/scripts?limit=1&sort=title&cursor=${pagination.next_cursor}`)
    expect([other.statusCode, other.json().fields]).toEqual([
      400,
      { cursor: 'Use a cursor with the filters, sort and order that it was made for.' },
    ])
  })
})
