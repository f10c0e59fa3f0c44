import { parseFeed } from '@rowanmanning/feed-parser'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { sql } from 'kysely'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonFeed } from '#contract/feeds.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'

const PUBLIC_URL = 'https://yard.example'
const DESCRIPTION = `Moves **smoothly** & stops.
<script>alert(1)</script> [site](https://example.com/?a=1&b=2) [bad](javascript:alert(1))

\`\`\`lua
if a < b then "x" end -- \u2066
\`\`\``

let site: TestApp
let origin: string
let author: number
let script: number
beforeAll(async () => {
  site = await createTestApp({ publicUrl: PUBLIC_URL, siteName: 'Yard & Co', rateLimit: false })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  author = await makeMember(site.db, { username: 'ada', slug: 'ada', display_name: 'Ada <3' })
  script = await makeScript(site.db, {
    author_id: author,
    title: 'Fish & "chips" <b>\uFFFE',
    description: DESCRIPTION,
    tags: ['ui', 'r&d'],
    created_at: new Date('2026-01-02T03:04:05.678Z'),
    updated_at: new Date('2026-02-03T04:05:06.789Z'),
  })
  await makeScript(site.db, {
    title: 'Plain',
    description: 'A lamp.',
    created_at: new Date('2026-01-01'),
    updated_at: new Date('2026-01-01'),
  })
})
afterAll(() => site.close())

const load = (url: string, headers = {}) => site.app.inject({ url, headers })
const loadJson = async (url: string): Promise<JsonFeed> => {
  const response = await load(url)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/feed+json; charset=utf-8'])
  return response.json<JsonFeed>()
}
const titlesOf = ({ items }: JsonFeed) => items.map(({ title }) => title)
const change = async (id: number, values: object) => {
  await site.db.updateTable('scripts').set(values).where('id', '=', id).execute()
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ONCE = { feed: ['id', 'title', 'updated', 'author'], entry: ['id', 'title', 'updated'] } as const

/** What breaks rules of RFC 4287 that parsers do not enforce. Throws if the document is not well-formed. */
function findAtomFaults(xml: string): string[] {
  const faults: string[] = []
  const open: { name: string; children: string[] }[] = []
  const links: string[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (part) => (text += part))
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (uri !== 'http://www.w3.org/2005/Atom') faults.push(`${local} is not of Atom`)
    const { rel, type, href } = attributes
    if (local === 'link' && open.length === 1) links.push(`${rel?.value} ${type?.value}`)
    if (local === 'link' && !URL.canParse(href?.value ?? '')) faults.push(`a link to ${href?.value}`)
    open.at(-1)?.children.push(local)
    open.push({ name: local, children: [] })
  })
  parser.on('closetag', ({ local }) => {
    const children = open.pop()?.children ?? []
    for (const name of local === 'feed' || local === 'entry' ? ONCE[local] : []) {
      if (children.filter((child) => child === name).length !== 1) faults.push(`${local} without one ${name}`)
    }
    if ((local === 'updated' || local === 'published') && !TIME.test(text.trim())) faults.push(`the time ${text}`)
    text = ''
  })
  parser.write(xml).close()
  if (new Set(links).size < links.length) faults.push('two links of one kind')
  if (!links.includes('self application/atom+xml')) faults.push('no link to itself')
  return faults
}

const expectAtomRules = (xml: string) => expect(findAtomFaults(xml)).toEqual([])

describe('the feed of scripts', () => {
  test('has all parts that independent parsers of Atom read', async () => {
    const { body, headers, statusCode } = await load('/feeds/scripts.atom')
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    expect(headers['access-control-allow-origin']).toBe('*')
    expectAtomRules(body)
    const feed = parseAtomFeed(body)
    expect(feed).toMatchObject({ id: `${PUBLIC_URL}/feeds/scripts.atom`, title: { value: 'New scripts · Yard & Co' } })
    const entry = feed.entries?.[0]
    expect(entry).toMatchObject({
      id: `${PUBLIC_URL}/scripts/script-${script}`,
      title: { value: 'Fish & "chips" <b>' },
      published: '2026-01-02T03:04:05.678Z',
      updated: '2026-02-03T04:05:06.789Z',
      authors: [{ name: 'Ada <3', uri: `${PUBLIC_URL}/profile/ada` }],
      categories: [{ term: 'ui' }, { term: 'r&d' }],
    })
    const other = parseFeed(body)
    expect(other.meta).toMatchObject({ type: 'atom', version: '1.0' })
    expect(other.items[0]).toMatchObject({
      title: 'Fish & "chips" <b>',
      url: `${PUBLIC_URL}/scripts/fish-chips-b-${script}`,
      updated: new Date('2026-02-03T04:05:06.789Z'),
    })
    expect(feed.updated).toBe('2026-02-03T04:05:06.789Z')
  })

  test('has the same in JSON', async () => {
    const { payload } = await load('/feeds/scripts.json')
    expect(parseJsonFeed(payload)).toMatchObject({
      title: 'New scripts · Yard & Co',
      home_page_url: `${PUBLIC_URL}/`,
      feed_url: `${PUBLIC_URL}/feeds/scripts.json`,
      items: [{ id: `${PUBLIC_URL}/scripts/script-${script}`, tags: ['ui', 'r&d'] }, { title: 'Plain' }],
    })
  })

  test('formats descriptions as HTML that cannot run', async () => {
    const { items } = await loadJson('/feeds/scripts.json')
    const html = items[0]?.content_html ?? ''
    expect(html).toContain('Moves <strong>smoothly</strong> &amp; stops.<br>&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="nofollow ugc">site</a>')
    expect(html).toContain('<pre><code>if a &lt; b then &quot;x&quot; end -- <mark>U+2066</mark></code></pre>')
    expect(html).not.toMatch(/<script|href="javascript/)
    const entry = parseAtomFeed((await load('/feeds/scripts.atom')).body).entries?.[0]
    expect(entry?.content).toEqual({ value: html, type: 'html' })
  })

  test('takes the filters and the order of the list, and names them', async () => {
    expect(await loadJson('/feeds/scripts.json?tags=R%26D&page=7&limit=1')).toMatchObject({
      title: 'New scripts: #R&D · Yard & Co',
      home_page_url: `${PUBLIC_URL}/?tags=R%26D`,
      feed_url: `${PUBLIC_URL}/feeds/scripts.json?tags=R%26D`,
      items: [{ url: `${PUBLIC_URL}/scripts/fish-chips-b-${script}` }],
    })
    expect(titlesOf(await loadJson('/feeds/scripts.json?search=lamp'))).toEqual(['Plain'])
    expect(titlesOf(await loadJson('/feeds/scripts.json?sort=title&order=asc'))).toHaveLength(2)
    expect((await loadJson('/feeds/scripts.json?sort=trending')).title).toBe('Trending scripts · Yard & Co')
    expect(titlesOf(await loadJson('/feeds/scripts.json?uses=net.webhook'))).toEqual([])
    expect((await load('/feeds/scripts.atom?uses=nothing')).statusCode).toBe(400)
    expectAtomRules((await load('/feeds/scripts.atom?uses=net.webhook')).body)
  })

  test('of an author has their page and no other scripts', async () => {
    expect(await loadJson(`/feeds/scripts.json?author=${author}`)).toMatchObject({
      title: 'New scripts by Ada <3 · Yard & Co',
      home_page_url: `${PUBLIC_URL}/profile/ada?tab=scripts`,
      items: [{}],
    })
  })

  test.each([
    ['a private profile', { is_private: true }],
    ['a ban', { banned_until: 'infinity' as const }],
  ])('of an author with %s does not exist', async (_case, values) => {
    const id = await makeMember(site.db, values)
    for (const headers of [{}, await signIn(site.db, id)]) {
      expect((await load(`/feeds/scripts.atom?author=${id}`, headers)).statusCode).toBe(404)
    }
    expect((await load('/feeds/scripts.atom?author=999999')).statusCode).toBe(404)
  })

  test('never has private and hidden scripts and those of banned authors, not even for the author', async () => {
    const banned = await makeMember(site.db, { banned_until: 'infinity' })
    const own = await makeScript(site.db, { title: 'Secret one', is_public: false, author_id: author })
    await makeScript(site.db, { title: 'Secret two', author_id: banned })
    const shown = await makeScript(site.db, { title: 'Secret three' })
    site.catalogue.invalidate([shown])
    const headers = await signIn(site.db, author)
    expect((await load('/feeds/scripts.atom', headers)).body).toContain('Secret three')
    await change(shown, { is_public: false, hidden_at: new Date(), was_public: true })
    site.catalogue.invalidate([shown])
    for (const url of ['/feeds/scripts.atom', '/feeds/scripts.json', `/feeds/scripts.atom?author=${author}`]) {
      expect((await load(url, headers)).body).not.toContain('Secret')
    }
    for (const id of [own, shown]) expect((await load(`/feeds/versions.json?id=${id}`, headers)).statusCode).toBe(404)
  })
})

describe('the feed of versions', () => {
  test('shows the changelog and the changes in behavior', async () => {
    const id = await makeScript(site.db, { title: 'Boat', author_id: author, content: 'one' })
    const sha256 = '1'.repeat(64)
    await site.db
      .insertInto('script_versions')
      .values({
        script_id: id,
        number: 2,
        version: '2.0.0',
        content: 'two',
        sha256,
        size: 3,
        changelog: 'New **sails**\n\nAnd a mast.',
      })
      .execute()
    await change(id, { current_version: 2, version: '2.0.0' })
    const { sha256: first } = await site.db
      .selectFrom('script_versions')
      .select('sha256')
      .where('script_id', '=', id)
      .where('number', '=', 1)
      .executeTakeFirstOrThrow()
    const card = { analyzer_version: 1, status: 'ready', compiles: true, card: '{}' }
    await site.db
      .insertInto('behavior_cards')
      .values([
        { ...card, sha256: first, capabilities: ['fs.write'], hosts: [] },
        { ...card, sha256, capabilities: ['net.webhook'], hosts: ['a&b.example'] },
      ])
      .execute()
    site.catalogue.invalidate([id])
    const feed = await loadJson(`/feeds/versions.json?id=${id}`)
    expect(feed).toMatchObject({ title: 'Versions of Boat · Yard & Co', authors: [{ name: 'Ada <3' }] })
    expect(feed.items.map((item) => item.id)).toEqual(
      [2, 1].map((n) => `${PUBLIC_URL}/scripts/script-${id}#version-${n}`),
    )
    expect(feed.items[0]).toMatchObject({
      title: 'Boat 2.0.0',
      content_html:
        '<p>New <strong>sails</strong></p><p>This update starts to send messages to a webhook and contact a&amp;b.example. It no longer saves files.</p>',
    })
    const { body } = await load(`/feeds/versions.atom?id=${id}`)
    expectAtomRules(body)
    expect(parseFeed(body).items).toHaveLength(2)
  })

  test('has no version that visitors do not get, and says of a withdrawn one that it is', async () => {
    const id = await makeScript(site.db, { title: 'Raft', author_id: author, content: 'return "raft"' })
    const states = ['withdrawn', 'published', 'discarded', 'held'] as const
    await site.db
      .insertInto('script_versions')
      .values(
        states.map((state, i) => ({
          script_id: id,
          number: i + 2,
          version: `1.0.${i + 1}`,
          content: state,
          sha256: String(i).repeat(64),
          size: state.length,
          changelog: `Notes of ${state} code`,
          state,
          ...(state === 'held' && { hold_reasons: '[]' }),
          ...(state === 'withdrawn' && { published_at: new Date('2026-01-03'), state_since: new Date('2026-03-04') }),
        })),
      )
      .execute()
    await sql`insert into withdrawals (script_id, slug, version, sha256, withdrawn_as, reason)
      values (${id}, ${`raft-${id}`}, '1.0.1', ${'0'.repeat(64)}, 'author', 'It sinks & drowns.')`.execute(site.db)
    await change(id, { current_version: 3, version: '1.0.2' })
    site.catalogue.invalidate([id])
    const { items } = await loadJson(`/feeds/versions.json?id=${id}`)
    expect(items.map(({ title, content_html }) => [title, content_html])).toEqual([
      ['Raft 1.0.2', expect.stringContaining('<p>Notes of published code</p>')],
      ['Raft 1.0.1', '<p>This version was withdrawn: It sinks &amp; drowns.</p>'],
      ['Raft 1.0.0', '<p>No notes on this version.</p>'],
    ])
    expect(parseAtomFeed((await load(`/feeds/versions.atom?id=${id}`)).body).entries?.[1]).toMatchObject({
      updated: '2026-03-04T00:00:00.000Z',
    })
    expect((await load('/feeds/withdrawn.atom')).body).toContain('It sinks &amp;amp; drowns.')
  })

  test('of a script that does not exist is a 404, and without an id a 400', async () => {
    expect((await load('/feeds/versions.atom?id=999999')).statusCode).toBe(404)
    expect((await load('/feeds/versions.atom?id=x')).statusCode).toBe(400)
    expect((await load('/feeds/versions.atom')).statusCode).toBe(400)
  })
})

test('the feed of giveaways has public ones without their prizes', async () => {
  await makeGiveaway(site.db, { title: 'A key', description: 'Win *it*.', prize_description: '1 & 2', is_active: true })
  await makeGiveaway(site.db, { title: 'A draft', is_active: false })
  site.catalogue.invalidate([0])
  const feed = await loadJson('/feeds/giveaways.json')
  expect(titlesOf(feed)).toEqual(['A key'])
  expect(feed.items[0]?.content_html).toMatch(
    /^<p>Win <em>it<\/em>\.<\/p><ul><li>Prize: 1 &amp; 2<\/li><li>One winner<\/li><li>Ends on \w+ \d+, 20/,
  )
  expectAtomRules((await load('/feeds/giveaways.atom')).body)
})

describe('a feed that has not changed', () => {
  test('is a 304 by its ETag and by its time, also on the fast path', async () => {
    const first = await load('/feeds/scripts.atom')
    const { etag = '', 'last-modified': since = '' } = first.headers
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now())
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-modified-since': since }, 304],
      [{ 'if-none-match': '"other"', 'if-modified-since': since }, 200],
      [{ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200],
      [{ 'if-modified-since': 'nonsense' }, 200],
    ]
    for (const [headers, status] of cases) {
      expect([headers, (await load('/feeds/scripts.atom', headers)).statusCode]).toEqual([headers, status])
      const fast = await fetch(`${origin}/feeds/scripts.atom`, { headers })
      expect([headers, fast.status]).toEqual([headers, status])
    }
  })

  test('keeps its validators when something else changes, and gets new ones with its content', async () => {
    const first = await load('/feeds/scripts.json?tags=ui')
    site.catalogue.invalidate([0])
    const second = await load('/feeds/scripts.json?tags=ui')
    expect(second.headers['last-modified']).toBe(first.headers['last-modified'])
    expect(second.headers.etag).toBe(first.headers.etag)
    await change(script, { title: 'Renamed', updated_at: new Date('2026-03-01') })
    site.catalogue.invalidate([script])
    const third = await load('/feeds/scripts.json?tags=ui')
    expect(third.headers.etag).not.toBe(first.headers.etag)
    expect(titlesOf(third.json<JsonFeed>())).toEqual(['Renamed'])
    expect(third.json<JsonFeed>().items[0]?.id).toBe(first.json<JsonFeed>().items[0]?.id)
  })
})

test.each(['scripts.atom', 'scripts.json?search=lamp', 'giveaways.json', 'versions.atom?id=1', 'versions.atom?id=0'])(
  '/feeds/%s has the same status, headers and bytes on the fast path and in the app',
  async (name) => {
    const slow = await load(`/feeds/${name}`, { 'accept-encoding': 'identity' })
    const fast = await fetch(`${origin}/feeds/${name}`, { headers: { 'accept-encoding': 'identity' } })
    expect([fast.status, await fast.text()]).toEqual([slow.statusCode, slow.body])
    const { date: _date, connection: _connection, ...expected } = slow.headers
    const headers = Object.fromEntries(fast.headers)
    expect(headers).toMatchObject(
      Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, String(value)])),
    )
  },
)
