import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_SITE } from '#contract/default-site.ts'
import { operations } from '#contract/operations.ts'
import { SaxesParser } from 'saxes'
import { makeScript } from '#tests/support/factories.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { EMAIL } from '#tests/support/email.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp({
    email: EMAIL,
    siteName: 'Yard',
    publicUrl: 'https://yard.example',
    securityContact: 'mailto:security@yard.example',
    discord: {
      apiUrl: 'https://discord.example/api',
      cdnUrl: 'https://cdn.example',
      inviteUrl: 'https://discord.example/invite',
    },
  })
})
afterAll(() => site.close())

test('/favicon.ico leads to the icon of the site', async () => {
  const { statusCode, headers } = await site.app.inject('/favicon.ico')
  expect([statusCode, headers.location]).toEqual([302, '/favicon.png'])
})

test('returns the public settings of the site', async () => {
  expect((await site.app.inject('/api/site')).json()).toEqual({
    name: 'Yard',
    public_url: 'https://yard.example',
    has_chat: true,
    has_email: true,
    discord_cdn_url: 'https://cdn.example',
    tagline: DEFAULT_SITE.tagline,
    logo: null,
    links: [],
    look: {
      theme_color: '#8b5cf6',
      stylesheet: null,
      icons: null,
      preview_image: expect.stringMatching(/^\/branding\/preview-[0-9a-f]{12}\.png$/),
    },
    has_rules: true,
  })
})

test('/discord redirects to the invitation', async () => {
  const answer = await site.app.inject('/discord')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://discord.example/invite'])
})

test('robots.txt allows public pages, the API documentation and oEmbed, and names the sitemap', async () => {
  const { payload } = await site.app.inject('/robots.txt')
  const isAllowed = (path: string) => {
    const rules = payload.split('\n').flatMap((line) => {
      const [, kind, pattern] = /^(Allow|Disallow): (.+)$/.exec(line) ?? []
      const regex = new RegExp(`^${pattern?.replaceAll('*', '.*')}`)
      return pattern && regex.test(path) ? [{ kind, length: pattern.length }] : []
    })
    return rules.toSorted((a, b) => b.length - a.length)[0]?.kind === 'Allow'
  }
  const allowed = [
    '/',
    '/scripts/a-1',
    '/api/docs',
    '/api/oembed?url=x',
    '/profile/me-too',
    '/feeds/scripts.atom',
    '/sitemap.xml',
  ]
  expect(allowed.filter((path) => !isAllowed(path))).toEqual([])
  const forbidden = [
    '/api/scripts',
    '/raw/a-1',
    '/admin',
    '/admin/users',
    '/moderation/behavior',
    '/profile/me',
    '/scripts/a-1/edit',
    '/scripts/a-1/new-version',
  ]
  expect(forbidden.filter(isAllowed)).toEqual([])
  expect(payload).toContain('\n\nSitemap: https://yard.example/sitemap.xml\n')
})

test('the OpenSearch description has the search and its suggestions', async () => {
  const { body, headers } = await site.app.inject('/opensearch.xml')
  expect(headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8')
  const found: Record<string, string>[] = []
  const names: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    names.push(name)
    if (name === 'Url') found.push(attributes)
  })
  parser.write(body).close()
  expect(names).toEqual(expect.arrayContaining(['ShortName', 'Description']))
  expect(found[0]).toEqual({ type: 'text/html', template: 'https://yard.example/?search={searchTerms}&sort=relevance' })
  const suggestions = found[1]?.['template']?.replace('https://yard.example', '').replace('{searchTerms}', 'boat')
  await makeScript(site.db, { title: 'Boat', tags: ['boats'] })
  const answer = await site.app.inject(suggestions ?? '')
  expect(answer.json()).toEqual(['boat', ['Boat', '#boats']])
})

test('security.txt names the contact and expires within a year', async () => {
  const answer = await site.app.inject('/.well-known/security.txt')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const [contact, expires = '', ...others] = answer.payload.trim().split('\n')
  expect(contact).toBe('Contact: mailto:security@yard.example')
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const days = (Date.parse(expires.slice('Expires: '.length)) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(150)
  expect(days).toBeLessThan(365)
  expect(others).toEqual(['Canonical: https://yard.example/.well-known/security.txt', 'Preferred-Languages: en'])
})

test('security.txt is missing without a contact', async () => {
  const other = await createAppOn(site.database, site.pool)
  expect((await other.app.inject('/.well-known/security.txt')).statusCode).toBe(404)
  await other.close()
})

test('URLs come from the settings, never from the Host header', async () => {
  const answer = await site.app.inject({ url: '/robots.txt', headers: { host: 'evil.example' } })
  expect(answer.payload).not.toContain('evil.example')
  const { headers } = await site.app.inject('/api/site')
  expect(headers['strict-transport-security']).toContain('max-age=')
})

test('the OpenAPI document lists every operation with its parameters', async () => {
  const description = (await site.app.inject('/api/openapi.json')).json<{
    openapi: string
    paths: Record<string, Record<string, { parameters: { name: string; required: boolean }[] }>>
  }>()
  expect(description.openapi).toBe('3.1.0')
  const named = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(named.toSorted()).toEqual(Object.keys(operations).toSorted())
  const list = description.paths['/api/scripts']?.['get']?.parameters ?? []
  expect(list.find(({ name }) => name === 'sort')).toMatchObject({ required: false })
})

test('the OpenAPI document has one group for each operation, and who may call it', async () => {
  const { paths, tags } = (await site.app.inject('/api/openapi.json')).json<{
    tags: { name: string }[]
    paths: Record<string, Record<string, { tags: string[]; 'x-access': string; security: object[] }>>
  }>()
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const operation of all) {
    expect(operation.tags).toHaveLength(1)
    expect(tags.map(({ name }) => name)).toContain(operation.tags[0])
  }
  expect(paths['/api/scripts']?.['get']).toMatchObject({
    'x-access': 'Anyone',
    security: [{}, { token: ['scripts:read-private'] }, { session: [] }],
  })
  expect(paths['/api/scripts']?.['post']).toMatchObject({ 'x-access': 'Members who are not muted' })
  expect(paths['/api/scripts']?.['post']).toMatchObject({ 'x-tolerant': true })
  expect(JSON.stringify(paths['/api/scripts']?.['post'])).not.toContain('additionalProperties')
  expect(JSON.stringify(paths['/api/tokens']?.['post'])).toContain('"additionalProperties":false')
  expect(paths['/api/media']?.['post']).toMatchObject({ 'x-access': 'Members who are not muted' })
  expect(paths['/api/admin-keys']?.['get']).toMatchObject({ 'x-access': 'Admins', security: [{ session: [] }] })
})
