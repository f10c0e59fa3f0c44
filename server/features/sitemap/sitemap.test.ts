import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'

const PUBLIC_URL = 'https://yard.example'

let site: TestApp
let origin: string
let author: number
beforeAll(async () => {
  site = await createTestApp({ publicUrl: PUBLIC_URL })
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  author = await makeMember(site.db, { slug: 'zoë' })
})
afterAll(() => site.close())

interface Url {
  loc: string
  lastmod?: string
}

/** Reads the URLs of a sitemap or an index. Throws if it is not well-formed. */
function readUrls(xml: string): Url[] {
  const urls: Record<string, string>[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri }) => {
    if (uri !== 'http://www.sitemaps.org/schemas/sitemap/0.9') throw new Error(`${local} is not of a sitemap`)
    if (local === 'url' || local === 'sitemap') urls.push({})
    text = ''
  })
  parser.on('text', (part) => (text += part))
  parser.on('closetag', ({ local }) => {
    const url = urls.at(-1)
    if (url && (local === 'loc' || local === 'lastmod')) url[local] = text
  })
  parser.write(xml).close()
  return urls as unknown as Url[]
}

async function readFile(name: string): Promise<Url[]> {
  const { statusCode, headers, rawPayload } = await site.app.inject({
    url: `/sitemap/${name}.xml.gz`,
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect([statusCode, headers['content-type'], headers['content-encoding']]).toEqual([
    200,
    'application/gzip',
    undefined,
  ])
  return readUrls(gunzipSync(rawPayload).toString())
}
const readIndex = async () => readUrls((await site.app.inject('/sitemap.xml')).body)
const pathsOf = (urls: Url[]) => urls.map(({ loc }) => loc.slice(PUBLIC_URL.length))

test('the index names files for scripts, authors, tags and pages with the times of their last changes', async () => {
  const updated = new Date('2026-05-06T07:08:09.123Z')
  await makeScript(site.db, { author_id: author, title: 'R & Ü', tags: ['r&d'], updated_at: updated })
  const files = await readIndex()
  expect(pathsOf(files)).toEqual(['pages', 'tags', 'scripts-1', 'authors-1'].map((name) => `/sitemap/${name}.xml.gz`))
  expect(files[2]?.lastmod).toBe(updated.toISOString())
  expect(await readFile('scripts-1')).toEqual([
    { loc: `${PUBLIC_URL}/scripts/${encodeURIComponent('r-ü-1')}`, lastmod: updated.toISOString() },
  ])
  expect(await readFile('authors-1')).toEqual([
    { loc: `${PUBLIC_URL}/profile/${encodeURIComponent('zoë')}`, lastmod: updated.toISOString() },
  ])
  expect(pathsOf(await readFile('tags'))).toEqual(['/?tags=r%26d'])
  expect(pathsOf(await readFile('pages'))).toContain('/popular')
})

test('a file has a range of 50,000 ids, and ranges without URLs have no file', async () => {
  const setNextId = (id: number) => site.pool.query(`alter table scripts alter column id restart with ${id}`)
  await setNextId(150_001)
  const id = await makeScript(site.db, { title: 'Far' })
  await setNextId(100)
  expect(pathsOf(await readFile('scripts-4'))).toEqual([`/scripts/far-${id}`])
  for (const name of [
    'scripts-2',
    'scripts-3',
    'scripts-5',
    'scripts-42950',
    'scripts-99999',
    'scripts-0',
    'index',
    'x',
  ]) {
    expect([name, (await site.app.inject(`/sitemap/${name}.xml.gz`)).statusCode]).toEqual([name, 404])
  }
})

test('has no private and hidden scripts, and no private and banned authors', async () => {
  const [hidden, banned] = [await makeMember(site.db, { is_private: true }), await makeMember(site.db)]
  const own = await makeScript(site.db, { title: 'Secret', is_public: false })
  await makeScript(site.db, { title: 'By a private profile', author_id: hidden })
  const late = await makeScript(site.db, { title: 'Banned later', author_id: banned })
  vi.setSystemTime(Date.now() + 11 * 60_000)
  await site.app.inject('/sitemap/scripts-1.xml.gz')
  await expect.poll(async () => pathsOf(await readFile('scripts-1'))).toContain(`/scripts/banned-later-${late}`)
  const paths = pathsOf(await readFile('scripts-1'))
  expect(paths.some((path) => path.endsWith(`-${own}`))).toBe(false)
  const { slug } = await site.db.selectFrom('members').select('slug').where('id', '=', hidden).executeTakeFirstOrThrow()
  expect(pathsOf(await readFile('authors-1'))).not.toContain(`/profile/${slug}`)

  await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', banned).execute()
  site.catalogue.invalidate([late])
  vi.setSystemTime(Date.now() + 3000)
  expect(pathsOf(await readFile('scripts-1'))).not.toContain(`/scripts/banned-later-${late}`)
  vi.useRealTimers()
})

test('sends the same from the fast path, and a 304 for what has not changed', async () => {
  for (const path of ['/sitemap.xml', '/sitemap/scripts-1.xml.gz', '/sitemap/nothing.xml.gz', '/sitemap/x']) {
    const slow = await site.app.inject({ url: path, headers: { 'accept-encoding': 'identity' } })
    const fast = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    expect([path, fast.status, fast.headers.get('etag') ?? undefined]).toEqual([
      path,
      slow.statusCode,
      slow.headers.etag,
    ])
    expect(Buffer.from(await fast.arrayBuffer()).equals(slow.rawPayload)).toBe(true)
  }
  const { headers } = await site.app.inject('/sitemap/scripts-1.xml.gz')
  const known = { 'if-modified-since': String(headers['last-modified']) }
  expect((await site.app.inject({ url: '/sitemap/scripts-1.xml.gz', headers: known })).statusCode).toBe(304)
})
