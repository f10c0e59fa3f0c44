import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { OEmbed } from '#contract/embeds.ts'
import { BADGE_METRICS } from '#contract/limits.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { writeBehavior } from '#tests/support/random-catalogue.ts'
import { findHtmlFaults } from '#tests/support/stable-html.ts'
import { measure } from './badge.ts'
import { EMBED_POLICY } from './embed-page.ts'

const PUBLIC_URL = 'https://yard.example'
const TITLE = 'Fish & "chips" <script>alert(1)</script>'

let site: TestApp
let origin: string
let author: number
let script: number
beforeAll(async () => {
  site = await createTestApp({ publicUrl: PUBLIC_URL, siteName: 'Yard & Co' })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  author = await makeMember(site.db, { slug: 'ada', display_name: 'Ada <3' })
  script = await makeScript(site.db, {
    author_id: author,
    title: TITLE,
    stats: { download_count: 1234, five_star: 1, four_star: 1 },
  })
  const capabilities: CapabilityId[] = ['fs.write', 'needs.executor', 'code.remote']
  await writeBehavior(site.db, script, { status: 'ready', compiles: true, hosts: [], capabilities })
})
afterAll(() => site.close())

const load = (url: string, headers = {}) => site.app.inject({ url, headers })

function readXml(xml: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {}
  const path: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => path.push(name))
  parser.on('text', (text) => {
    const name = path.at(-1) ?? ''
    texts[name] = [...(texts[name] ?? []), text]
  })
  parser.on('closetag', () => path.pop())
  parser.write(xml).close()
  return texts
}

const readBadge = async (path: string): Promise<string | undefined> => {
  const { statusCode, headers, body } = await load(`/badge/x-${script}/${path}`)
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  return readXml(body)['title']?.[0]
}

describe('a badge', () => {
  test.each([
    ['downloads', 'downloads: 1.2K'],
    ['rating', 'rating: 4.5/5 (2)'],
    ['works', 'works: no votes this week'],
    ['version', 'version: 1.0.0'],
  ])('shows %s with a title for screen readers', async (metric, title) => {
    expect(await readBadge(`${metric}.svg`)).toBe(title)
  })

  test('takes a label of limited length and a style', async () => {
    expect(await readBadge(`version.svg?label=${encodeURIComponent('<b>&"\n\u202E')}`)).toBe('<b>&": 1.0.0')
    expect(await readBadge(`version.svg?label=${'x'.repeat(500)}`)).toBe(`${'x'.repeat(40)}: 1.0.0`)
    expect(await readBadge('version.svg?label=&style=none')).toBe('version: 1.0.0')
    const [flat, square] = await Promise.all(
      ['flat', 'square'].map((style) => load(`/badge/x-${script}/version.svg?style=${style}`)),
    )
    expect([flat?.body.includes('rx="3"'), square?.body.includes('rx=')]).toEqual([true, false])
  })

  test('loads in other sites, from caches and with a 304', async () => {
    const { headers } = await load(`/badge/x-${script}/downloads.svg`)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    })
    const known = { 'if-none-match': String(headers.etag) }
    expect((await load(`/badge/any-title-${script}/downloads.svg`, known)).statusCode).toBe(304)
  })

  test('has boxes that fit their texts', () => {
    expect(measure('Hamburg')).toBeCloseTo(48.1, 1)
    expect(measure('字')).toBe(11)
    expect(measure('')).toBe(0)
    // XML forbids these characters, so they are not drawn.
    expect(measure('\u0001Ham\uFFFFburg\uD800')).toBe(measure('Hamburg'))
  })
})

describe('the page for frames', () => {
  test('has the facts without scripts and cookies, and may be framed as the only page', async () => {
    const { statusCode, headers, body } = await load(`/embed/x-${script}`)
    expect([statusCode, headers['content-security-policy']]).toEqual([200, EMBED_POLICY])
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['x-frame-options']).toBeUndefined()
    expect(body).not.toContain('<script')
    expect(findHtmlFaults(body)).toEqual([])
    expect(body).toContain('Fish &amp; &quot;chips&quot; &lt;script&gt;')
    expect(body).toContain('Ada &lt;3')
    expect(body).toContain('Rated 4.5 of 5 (2)')
    expect((await load(`/embed/x-${await makeScript(site.db)}`)).body).toContain('Rated 0.0 of 5 (new)')
    expect(body).toContain(
      '<p class="danger">Runs downloaded code</p>\n<p class="does">Saves files · Needs an executor</p>',
    )
    const targets = [...body.matchAll(/<a [^>]*>/g)].map(([link]) => /target="_blank" rel="noopener"/.test(link))
    expect(targets).toEqual([true, true, true])
    for (const path of ['/api/scripts', `/badge/x-${script}/works.svg`, '/embed/nothing', '/feeds/scripts.atom']) {
      expect((await load(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })

  test('takes a theme', async () => {
    const htmlOf = async (query: string) => /<html[^>]*>/.exec((await load(`/embed/x-${script}${query}`)).body)?.[0]
    expect(await htmlOf('?theme=dark')).toBe('<html lang="en" class="dark">')
    expect(await htmlOf('?theme=light')).toBe('<html lang="en" class="light">')
    expect(await htmlOf('?theme="><script>')).toBe('<html lang="en">')
  })

  test('has the colors of the site', async () => {
    const { body } = await load(`/embed/x-${script}`)
    const tokens = readFileSync('web/styles.css', 'utf8').replaceAll(/\s/g, '')
    const colors = [...body.matchAll(/--[\w-]+:light-dark\([^)]+\)/g)].map(([token]) => token)
    expect(colors.length).toBeGreaterThan(5)
    expect(colors.filter((token) => !tokens.includes(token))).toEqual([])
  })
})

describe('oEmbed', () => {
  const PAGE = encodeURIComponent(`${PUBLIC_URL}/scripts/any-1`)

  test('describes a frame within the given size, as JSON and as XML', async () => {
    const { headers, body } = await load(`/api/oembed?url=${PAGE}&maxwidth=400&maxheight=900`)
    expect(headers['access-control-allow-origin']).toBe('*')
    const embed = JSON.parse(body) as OEmbed
    expect(embed).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: TITLE,
      author_name: 'Ada <3',
      width: 400,
      height: 340,
    })
    expect(embed.html).toMatch(
      /^<iframe src="https:\/\/yard\.example\/embed\/[^"]+" title="[^"<>]+" width="400" height="340" [^<>]*><\/iframe>$/,
    )
    const xml = await load(`/api/oembed?url=${PAGE}&maxwidth=400&format=xml`)
    expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8')
    const texts = readXml(xml.body)
    expect(texts['html']?.join('')).toBe(embed.html)
    expect(texts['title']?.join('')).toBe(TITLE)
  })

  test.each([
    ['', 560, 220],
    ['&maxwidth=2000&maxheight=2000', 560, 220],
    ['&maxwidth=421', 421, 220],
    ['&maxwidth=420', 420, 340],
    ['&maxwidth=320&maxheight=300', 320, 300],
    ['&maxheight=100', 560, 100],
  ])('has the size of the card, within %s', async (limits, width, height) => {
    expect(JSON.parse((await load(`/api/oembed?url=${PAGE}${limits}`)).body)).toMatchObject({ width, height })
  })

  test.each([
    [400, ''],
    [400, 'url=x&format=yaml'],
    [400, `url=${PAGE}&maxwidth=-1`],
    [404, 'url=x'],
    [404, 'url=https%3A%2F%2Fother.example%2Fscripts%2Fx-1'],
    [404, 'url=https%3A%2F%2Fyard.example%2Fprofile%2Fada'],
    [404, 'url=https%3A%2F%2Fyard.example%2Fscripts%2F%25ff-1'],
  ])('answers %i for ?%s', async (status, query) => {
    expect((await load(`/api/oembed?${query}`)).statusCode).toBe(status)
    expect((await fetch(`${origin}/api/oembed?${query}`)).status).toBe(status)
  })
})

const pathsOf = (id: number) => [
  ...BADGE_METRICS.map((metric) => `/badge/x-${id}/${metric}.svg`),
  `/embed/x-${id}`,
  `/api/oembed?url=${encodeURIComponent(`${PUBLIC_URL}/scripts/x-${id}`)}`,
]

test('nothing shows private and hidden scripts and those of banned authors, not even to their author', async () => {
  const banned = await makeMember(site.db, { banned_until: 'infinity' })
  const headers = await signIn(site.db, author)
  const hidden = await makeScript(site.db, { author_id: author })
  for (const path of pathsOf(hidden)) expect([path, (await load(path)).statusCode]).toEqual([path, 200])
  await site.db.updateTable('scripts').set({ is_public: false }).where('id', '=', hidden).execute()
  site.catalogue.invalidate([hidden])
  for (const id of [hidden, await makeScript(site.db, { author_id: banned }), 999_999]) {
    for (const path of pathsOf(id)) {
      expect([path, (await load(path, headers)).statusCode]).toEqual([path, 404])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 404])
    }
  }
})

test('the fast path sends the same status, headers and bytes as the app', async () => {
  for (const path of [...pathsOf(script), '/badge/x', '/embed/', '/badge/x-1/works.svg/x', '/embed/%ff-1']) {
    const slow = await load(path, { 'accept-encoding': 'identity' })
    const fast = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    expect([path, fast.status, await fast.text()]).toEqual([path, slow.statusCode, slow.body])
    const { date: _date, connection: _connection, ...expected } = slow.headers
    const texts = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value)]))
    expect(Object.fromEntries(fast.headers)).toMatchObject(texts)
  }
})

test('no URL leads to an error of the server', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom(
      '%',
      '%00',
      '%2F',
      'x-1',
      `x-${'9'.repeat(30)}`,
      'works.svg',
      '..',
      '?label=%ff',
      '?theme=%00',
      '?url=%',
    ),
  )
  const path = fc.tuple(
    fc.constantFrom('/badge/', '/embed/', '/api/oembed', '/sitemap/'),
    fc.array(part, { maxLength: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(path, async ([prefix, parts]) => {
      expect((await load(prefix + parts.join('/'))).statusCode).toBeLessThan(500)
    }),
    { numRuns: 150 },
  )
})
