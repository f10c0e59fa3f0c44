import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Branding } from '#contract/branding.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Site } from '#contract/site.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { solidImage } from '#tests/support/images.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { DEFAULT_BRANDING } from './branding.ts'

let site: Portal
let peer: TestApp
beforeAll(async () => {
  site = await createPortal({ siteName: 'Yard', publicUrl: 'https://yard.example' })
  peer = await createAppOn(site.database, site.pool, { siteName: 'Yard', publicUrl: 'https://yard.example' })
})
afterAll(async () => {
  await peer.close()
  await site.close()
})

type Result = Branding & { error: string; code: string; fields: Record<string, string> }

const read = async () => (await site.get<Branding>('/api/branding')).body
const save = async (change: Partial<BodyOf<'PUT /api/branding'>>, version?: number) =>
  site.send<Result>(
    'PUT /api/branding',
    { ...DEFAULT_BRANDING, version: version ?? (await read()).version, ...change },
    site.admin,
  )
const readSite = async (app = site.app) => (await app.inject('/api/site')).json<Site>()
const dataUrl = (type: string, bytes: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
const svg = (content: string, attributes = '') =>
  dataUrl(
    'svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${content}<rect width="10" height="10" fill="red"/></svg>`,
  )

beforeEach(async () => {
  await save({ logo: null })
})

test('a new name is in pages, descriptions and feeds at once, and null restores the default', async () => {
  await makeScript(site.db)
  const feed = async () => (await site.app.inject('/feeds/scripts.atom')).payload
  const first = await feed()
  expect(first).toContain('· Yard</title>')
  const before = (await site.app.inject('/opensearch.xml')).headers['etag']

  const { status, body } = await save({ name: '  Brook\u200b  Field ', tagline: 'Scripts by us.' })
  expect([status, body.name, body.defaults.name]).toEqual([200, 'Brook Field', 'Yard'])
  expect(await readSite()).toMatchObject({ name: 'Brook Field', tagline: 'Scripts by us.' })
  const openSearch = await site.app.inject('/opensearch.xml')
  expect(openSearch.payload).toContain('<ShortName>Brook Field</ShortName>')
  expect(openSearch.headers['etag']).not.toBe(before)
  expect((await site.app.inject('/site.webmanifest')).json()).toMatchObject({ name: 'Brook Field' })
  expect((await site.app.inject('/api/openapi.json')).json()).toMatchObject({ info: { title: 'Brook Field API' } })
  expect(await feed()).toContain('· Brook Field</title>')

  await save({ name: '   ' })
  expect((await readSite()).name).toBe('Yard')
  expect(await feed()).toContain('· Yard</title>')
})

test('another process learns of a change within two seconds', async () => {
  await save({ name: 'Peer', accent_dark: '#5eead4' })
  const { look } = await readSite()
  await expect.poll(async () => (await readSite(peer.app)).name, { timeout: 2000 }).toBe('Peer')
  expect((await readSite(peer.app)).look).toEqual(look)
  const css = await peer.app.inject(look.stylesheet ?? '')
  expect(css.payload).toMatch(/^:root:root\{--accent:#5eead4;/)
  expect(css.payload).toContain(':root:root[data-theme=light]{--accent:#6d28d9;--accent-strong:#7c3aed;')
  expect([css.headers['content-type'], css.headers['cache-control']]).toEqual([
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
})

test('of two admins who change the same version, the second gets a conflict, and nothing is lost', async () => {
  const { version } = await read()
  const results = await Promise.all([save({ name: 'One' }, version), save({ name: 'Two' }, version)])
  const [winner, loser] = results.toSorted((a, b) => a.status - b.status)
  expect([winner?.status, loser?.status]).toEqual([200, 409])
  expect(loser?.body.code).toBe('branding_changed')
  expect(await read()).toMatchObject({ name: winner?.body.name, version: version + 1 })
})

test('colors that cannot be read are rejected with their contrast', async () => {
  const { status, body } = await save({ accent_dark: '#7c3aed', accent_light: '#FFD400' })
  expect(status).toBe(400)
  expect(body.fields).toEqual({
    accent_dark:
      'Links in this color are hard to read in the dark theme: their contrast is 2.5:1, and 4.5:1 is needed.',
    accent_light: expect.stringContaining('light theme'),
  })
  expect((await save({ accent_dark: 'red' })).body.fields).toEqual({ accent_dark: 'Enter a color such as #7c3aed.' })
  expect((await readSite()).look.stylesheet).toBeNull()
})

test('the stylesheet has the former name as long as the colors are the same, and no cached copy under an old one', async () => {
  await save({ accent_light: '#115e59' })
  const first = (await readSite()).look.stylesheet ?? ''
  await save({ accent_light: '#115E59', name: 'Other' })
  expect((await readSite()).look.stylesheet).toBe(first)
  await save({ accent_light: '#1d4ed8' })
  const old = await site.app.inject(first)
  expect([old.statusCode, old.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(old.payload).toContain('#1d4ed8')
})

test('a logo becomes a square PNG in several sizes, in the manifest and in feeds', async () => {
  const wide = await solidImage(64, 32, '#00ff00').png().toBuffer()
  expect((await save({ logo: dataUrl('png', wide) })).status).toBe(200)
  const { logo, look } = await readSite()
  expect(logo).toBe(`${look.icons}96.png`)
  for (const size of [48, 96, 180, 192, 512]) {
    const answer = await site.app.inject(`${look.icons}${size}.png`)
    expect(answer.headers['content-type']).toBe('image/png')
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: size, height: size })
  }
  expect((await site.app.inject(`${look.icons}64.png`)).statusCode).toBe(404)
  const { icons } = (await site.app.inject('/site.webmanifest')).json<{ icons: { src: string }[] }>()
  expect(icons.map(({ src }) => src)).toEqual([`${look.icons}192.png`, `${look.icons}512.png`])
  expect((await site.app.inject('/feeds/scripts.json')).json()).toMatchObject({
    icon: `https://yard.example${look.icons}192.png`,
  })
  // It stays while other fields change.
  await save({ name: 'With logo' })
  expect((await readSite()).logo).toBe(logo)
  await save({ logo: null })
  expect((await readSite()).logo).toBeNull()
})

test('an SVG is drawn, and only its pixels are stored', async () => {
  expect((await save({ logo: svg('<title>Ours</title><use href="#a"/>') })).status).toBe(200)
  const { look } = await readSite()
  const { rawPayload } = await site.app.inject(`${look.icons}48.png`)
  const { data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)]).toEqual([255, 0, 0])
})

test.each([
  ['a script', svg('<script>alert(1)</script>'), 'This SVG contains a script.'],
  ['a script with a prefix', svg('<svg:script href="x"/>'), 'This SVG contains a script.'],
  ['an event handler', svg('', ' onload="alert(1)"'), 'This SVG contains a script.'],
  ['an escaped link', svg('<a href="&#106;avascript:alert(1)"><path/></a>'), 'This SVG contains a script.'],
  ['HTML', svg('<foreignObject><p/></foreignObject>'), 'This SVG contains HTML.'],
  ['another file', svg('<image href="https://evil.example/x.png"/>'), 'This SVG loads other files.'],
  ['a file of the server', svg('<image xlink:href="file:///etc/passwd"/>'), 'This SVG loads other files.'],
  [
    'entities',
    dataUrl('svg+xml', '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'),
    'This SVG contains definitions from outside.',
  ],
  ['a GIF', dataUrl('gif', 'GIF89a.....'), 'The logo must be a PNG, JPEG, WebP or SVG file.'],
  ['text', dataUrl('png', 'hello'), 'The logo must be a PNG, JPEG, WebP or SVG file.'],
  ['a broken PNG', dataUrl('png', '\u0089PNG\r\n\u001a\nbroken'), 'The logo'],
  ['no data URL', 'https://example.com/logo.png', 'The logo could not be read.'],
  ['a large file', dataUrl('png', Buffer.alloc(524_289)), 'The logo is larger than 512 KB.'],
])('a logo with %s is rejected, and the saved one stays', async (_name, logo, message) => {
  await save({ logo: svg('') })
  const before = (await readSite()).logo
  const { status, body } = await save({ logo })
  expect([status, body.fields?.['logo']]).toEqual([400, expect.stringContaining(message)])
  expect((await readSite()).logo).toBe(before)
})

test('the chat link leads to the chat without a restart, and back to the page that there is none', async () => {
  const follow = async (app = site.app) => {
    const { statusCode, headers } = await app.inject('/discord?from=footer')
    return [statusCode, headers['location']]
  }
  expect((await follow())[0]).toBe(404)
  await save({ chat_url: 'https://discord.example/invite' })
  expect(await follow()).toEqual([302, 'https://discord.example/invite'])
  expect((await readSite()).has_chat).toBe(true)
  await save({})
  expect((await follow())[0]).toBe(404)
})

test.each([
  [{ chat_url: 'javascript:alert(1)' }, 'chat_url'],
  [{ chat_url: 'https://user:secret@example.com' }, 'chat_url'],
  [{ links: [{ label: ' ', url: '/x', in_header: false }] }, 'links'],
  [{ links: [{ label: 'Evil', url: '//evil.example', in_header: false }] }, 'links'],
  [{ links: [{ label: 'Evil', url: 'javascript:alert(1)', in_header: false }] }, 'links'],
  [{ links: [1, 2, 3].map((i) => ({ label: `L${i}`, url: '/x', in_header: true })) }, 'links'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ rules: 'x'.repeat(20_001) }, 'rules'],
])('%j is rejected at %s', async (change, field) => {
  const { status, body } = await save(change)
  expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
})

test('own texts replace the defaults, and links keep their order', async () => {
  const links = [
    { label: 'Wiki', url: 'https://wiki.example/', in_header: true },
    { label: 'Top', url: '/popular', in_header: false },
  ]
  await save({ rules: '# Be kind\r\n\r\nAlways.', terms: 'Our terms.', links })
  const textOf = async (name: string) => (await site.app.inject(`/api/site-text?name=${name}`)).json()
  expect(await textOf('rules')).toEqual({ text: '# Be kind\n\nAlways.' })
  expect(await textOf('terms')).toEqual({ text: 'Our terms.' })
  expect(await textOf('privacy')).toEqual({ text: null })
  expect(await readSite()).toMatchObject({ has_rules: true, links })
})

test('the preview image shows the branding', async () => {
  await save({ name: 'Brook', accent_dark: '#5eead4', logo: svg('') })
  const { look } = await readSite()
  const answer = await site.app.inject(look.preview_image)
  expect(answer.headers['content-type']).toBe('image/png')
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 })
})

test('a change is in the audit log, with the changed fields only', async () => {
  await save({ name: 'Audited', terms: 'x'.repeat(500) })
  const entry = await site.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'subject_type', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({
    actor_id: site.adminId,
    action: 'change_branding',
    subject_type: 'site',
    before: { name: null, terms: null },
    after: { name: 'Audited', terms: `500 characters: ${'x'.repeat(200)}` },
  })
})

test('an admin who lost the role while typing changes nothing', async () => {
  const id = await makeMember(site.db, { is_admin: true })
  const headers = await signIn(site.db, id)
  await site.db.updateTable('members').set({ is_admin: false }).where('id', '=', id).execute()
  const { status } = await site.send('PUT /api/branding', { ...DEFAULT_BRANDING, version: 0, name: 'No' }, headers)
  expect(status).toBe(403)
  expect((await readSite()).name).toBe('Yard')
})
