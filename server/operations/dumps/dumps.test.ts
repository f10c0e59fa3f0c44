import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import { DUMP_KIND_NAMES, type DumpList, type DumpManifest } from '#contract/dumps.ts'
import { optionsLike } from '#server/platform/db/pool.ts'
import { copyToScripts, storeCard } from '#server/features/behavior/record.ts'
import { fillWithDemo } from '#server/operations/demo/service.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { DailyDump } from './daily.ts'
import { importDump } from './import.ts'
import { readRows } from './read.ts'
import { writeDump } from './write.ts'

const SECRET = 'not-for-the-dump'
const DISCORD_ID = '998877665544332211'

let origin: TestApp
let copy: TestApp
let folder: string
let manifest: DumpManifest
let again: DumpManifest
const site = { name: 'Origin', url: 'https://origin.example' }
const dumpTo = ({ pool }: TestApp, name: string) =>
  writeDump({ connection: optionsLike(pool), folder: path.join(folder, name), site })
const readText = async (name: string, kind: string) =>
  gunzipSync(await readFile(path.join(folder, name, `${kind}.ndjson.gz`))).toString()

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-dumps-'))
  ;[origin, copy] = await Promise.all([createTestApp({ dumpKeepDays: 2 }), createTestApp()])
  await fillWithDemo(origin.db, origin)
  await addCard()
  await addSecrets()
  await sql`insert into withdrawals (script_id, slug, version, sha256, withdrawn_as, reason)
    values (9999, 'gone-9999', '1.0.0', repeat('0', 64), 'author', 'Broken.')`.execute(origin.db)
  await sql`update scripts set successor_id = case id % 2 when 0 then (select max(id) from scripts where is_public)
      else (select min(id) from scripts where not is_public) end
    where is_public and id < (select max(id) from scripts where is_public)`.execute(origin.db)
  manifest = await dumpTo(origin, 'first')
  await importDump({ db: copy.db, store: origin.media.store, seal: copy.seal }, path.join(folder, 'first'))
  again = await dumpTo(copy, 'second')
})
afterAll(async () => {
  await Promise.all([origin, copy].map((app) => app.close()))
  await rm(folder, { recursive: true, force: true })
})

async function addCard(): Promise<void> {
  const { sha256 } = await origin.db
    .selectFrom('script_versions as v')
    .innerJoin('scripts as s', (join) =>
      join.onRef('s.id', '=', 'v.script_id').onRef('s.current_version', '=', 'v.number'),
    )
    .select('v.sha256')
    .where('s.is_public', '=', true)
    .orderBy('s.id')
    .executeTakeFirstOrThrow()
  await storeCard(origin.db, sha256, {
    status: 'ready',
    verdict: { compiles: true, error: null },
    card: {
      capabilities: [
        { id: 'net.get', certainty: 'code', evidence: [{ line: 1, end_line: 1, excerpt: 'x', detail: 'y' }], count: 1 },
      ],
      hosts: [{ host: 'api.example.com', line: 1 }],
      obfuscator: null,
      opaque: [],
    },
  })
  await copyToScripts(origin.db, sha256)
}

async function addSecrets(): Promise<void> {
  const { db } = origin
  const banned = await makeMember(db, { bio: SECRET, banned_until: 'infinity', discord_id: DISCORD_ID })
  const hidden = await makeMember(db, {
    is_private: true,
    bio: SECRET,
    location: SECRET,
    email: `${SECRET}@example.com`,
    social_links: JSON.stringify({ github: `https://github.com/${SECRET}` }),
  })
  const member = await makeMember(db, {
    email: `${SECRET}@example.com`,
    show_email: true,
    location: SECRET,
    show_location: false,
    show_script_stats: false,
    reputation: 7,
    notes: SECRET,
    social_links: JSON.stringify({ discord: SECRET }),
  })
  await makeMember(db, { is_private: true, username: SECRET })
  const shown = await makeScript(db, { author_id: hidden, title: 'By a private member', tags: ['shared'] })
  const unlisted = await makeScript(db, {
    author_id: member,
    title: SECRET,
    tags: [SECRET],
    content: SECRET,
    is_public: false,
  })
  const ofBanned = await makeScript(db, { author_id: banned, title: SECRET, description: SECRET, content: SECRET })
  await sql`update scripts set hidden_at = now(), was_public = true, is_public = false
    where id = ${await makeScript(db, { author_id: member, title: SECRET })}`.execute(db)
  const notPublished = [
    { number: 2, state: 'discarded', hold_reasons: null },
    { number: 3, state: 'private', hold_reasons: null },
    { number: 4, state: 'held', hold_reasons: JSON.stringify([{ id: 'opaque', host: null, line: 1, detail: SECRET }]) },
  ]
  await db
    .insertInto('script_versions')
    .values(
      notPublished.map((version) => ({
        ...version,
        script_id: shown,
        version: `2.0.${version.number}`,
        changelog: SECRET,
        content: SECRET,
        size: SECRET.length,
        sha256: createHash('sha256').update(SECRET).digest('hex'),
      })),
    )
    .execute()
  await storeCard(db, createHash('sha256').update(SECRET).digest('hex'), {
    status: 'ready',
    verdict: { compiles: true, error: null },
    card: { capabilities: [], hosts: [{ host: `${SECRET}.example`, line: 1 }], obfuscator: null, opaque: [] },
  })
  const rating = { rating: 1, review: SECRET }
  await db
    .insertInto('ratings')
    .values([
      { ...rating, script_id: shown, member_id: banned, is_counted: false },
      { ...rating, script_id: unlisted, member_id: hidden },
      { ...rating, script_id: shown, member_id: member, is_counted: false, hidden_at: new Date() },
    ])
    .execute()
  const comment = { script_id: shown, text: SECRET, author_id: member }
  const { id: thread } = await db
    .insertInto('comments')
    .values({ ...comment, hidden_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('comments')
    .values([
      { ...comment, hidden_at: new Date(), is_pending: true },
      { ...comment, parent_id: thread },
      { ...comment, author_id: banned },
      { ...comment, script_id: unlisted },
    ])
    .execute()
  const collections = await db
    .insertInto('collections')
    .values([
      { owner_id: member, name: SECRET, is_public: false },
      { owner_id: member, name: SECRET, is_public: true, hidden_at: new Date() },
      { owner_id: banned, name: SECRET, is_public: true },
      { owner_id: member, name: 'Public', is_public: true },
    ])
    .returning('id')
    .execute()
  const items = [unlisted, ofBanned, shown].map((script_id, position) => ({ script_id, position }))
  await db
    .insertInto('collection_items')
    .values(
      items.map((item) => ({
        ...item,
        collection_id: collections.at(-1)?.id ?? 0,
        note: item.script_id === shown ? null : SECRET,
      })),
    )
    .execute()
  await signIn(db, member)
  await makeScript(db, {
    title: 'Escapes',
    content: 'print("\\u{41} \\\\ \\"quoted\\"")\r\n\tlocal 日本 = [[\n]]\u0085',
  })
}

test('a dump has all kinds of rows, and every row matches its schema', async () => {
  for (const file of manifest.files) {
    let rows = 0
    for await (const batch of readRows(path.join(folder, 'first'), file)) rows += batch.length
    expect(rows, file.kind).toBeGreaterThan(0)
  }
  const { totals } = manifest
  expect(manifest.files.find(({ kind }) => kind === 'scripts')?.rows).toBe(totals.scripts)
  expect(totals.scripts).toBe((await origin.app.inject('/api/scripts')).json<ScriptList>().pagination.total)
})

test('a dump has nothing that visitors do not see, and no Discord ids, emails or tokens', async () => {
  const { rows } = await sql<{ text: string | null }>`
    select discord_id as text from members union select email from members where email is not null
    union select encode(token_hash, 'hex') from sessions union select s.title from scripts s where not s.is_public
    union select seed from giveaways where drawn_at is null`.execute(origin.db)
  const secrets = [SECRET, 'sealed', ...rows.flatMap(({ text }) => text ?? [])].filter((text) => text.length > 6)
  expect(secrets.length).toBeGreaterThan(20)
  for (const kind of DUMP_KIND_NAMES) {
    const text = await readText('first', kind)
    expect(
      secrets.filter((secret) => text.includes(secret)),
      kind,
    ).toEqual([])
  }
})

test('standard tools verify and read the files', async () => {
  for (const { name, sha256, bytes } of manifest.files) {
    const content = await readFile(path.join(folder, 'first', name))
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
  }
  const file = path.join(folder, 'first', 'scripts.ndjson.gz')
  const { stdout } = await promisify(execFile)('gzip', ['-dc', file], { maxBuffer: 1e8 })
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toHaveLength(manifest.totals.scripts)
  const schemas = await readdir(path.join(folder, 'first', 'schema'))
  expect(schemas.toSorted()).toEqual(['manifest', ...DUMP_KIND_NAMES].map((kind) => `${kind}.schema.json`).toSorted())
})

/** A response without what dumps leave out: Discord accounts, roles, open giveaways, votes, times of
 * reading and versions that wait. */
function normalize(body: unknown): unknown {
  const omitted =
    /^(.*discord_id|avatar|discriminator|is_admin|is_moderator|last_seen_at|email|works_now|show_email|item_count|waiting)$/
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (omitted.test(key)) return undefined
      if (key === 'social_links') return { ...(value as object), discord: undefined }
      return value
    }),
  )
}

const idsIn = async (table: 'scripts' | 'collections' | 'members') => {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(copy.db)
  return rows.map(({ id }) => id)
}

test('an imported site answers all public calls like the origin', async () => {
  const scripts = await idsIn('scripts')
  const { script_id: analyzed } = await copy.db
    .selectFrom('script_behaviors')
    .select('script_id')
    .where('status', '=', 'ready')
    .executeTakeFirstOrThrow()
  const lists = ['created_at', 'updated_at', 'title', 'view_count', 'rating_average', 'score', 'trending'].flatMap(
    (sort) => ['asc', 'desc'].map((order) => `/api/scripts?limit=100&sort=${sort}&order=${order}`),
  )
  const urls = [
    ...lists,
    '/api/scripts?search=teleport&sort=relevance',
    '/api/scripts?showcased=true',
    '/api/scripts?uses=net.get',
    '/api/script-facets?universal_only=true',
    '/api/script-facets',
    `/api/script-behavior?id=${analyzed}`,
    '/api/script-tags',
    ...scripts.flatMap((id) => [
      `/api/script-details-slug?slug=x-${id}`,
      `/api/script-versions?id=${id}`,
      `/api/script-rating?id=${id}`,
      `/api/script-behavior-changes?id=${id}`,
      `/api/script-comments?id=${id}`,
      `/raw/x-${id}`,
    ]),
    ...(await idsIn('members')).flatMap((id) => [`/api/user-profiles?user_id=${id}`, `/api/collections?user_id=${id}`]),
    ...(await idsIn('collections')).map((id) => `/api/collection?slug=x-${id}`),
  ]
  expect(urls.length).toBeGreaterThan(100)
  // Reading a script counts as a view, and each site writes its views at its own time.
  await Promise.all([origin.visits.close(), copy.visits.close()])
  for (const url of urls) {
    const [one, other] = await Promise.all([origin.app.inject(url), copy.app.inject(url)])
    const bodies = [one, other].map(({ statusCode, body, headers }) => [
      statusCode,
      String(headers['content-type']).includes('json') ? normalize(JSON.parse(body)) : body,
    ])
    expect(bodies[1], url).toEqual(bodies[0])
  }
})

test('draws can be verified after an import', async () => {
  const { rows } = await sql<{ id: number }>`select id from giveaways where drawn_at is not null`.execute(origin.db)
  expect(rows.length).toBeGreaterThan(0)
  for (const { id } of rows) {
    const [one, other] = await Promise.all([origin, copy].map(({ app }) => app.inject(`/api/giveaway-draw?id=${id}`)))
    expect(other?.json()).toEqual(one?.json())
  }
})

test('a dump of the imported site has the same files', async () => {
  const sums = ({ files }: DumpManifest) =>
    Object.fromEntries(files.filter(({ kind }) => kind !== 'giveaways').map(({ kind, sha256 }) => [kind, sha256]))
  expect(again.totals).toEqual(manifest.totals)
  expect(sums(again)).toEqual(sums(manifest))
  const drawn = (await readText('first', 'giveaways')).split('\n').filter((line) => !line.includes('"seed":null'))
  expect((await readText('second', 'giveaways')).split('\n')).toEqual(drawn)
})

test('imported members have no Discord account and no roles, and new members get free ids', async () => {
  const { rows } = await sql`select id from members where discord_id is not null or is_admin or is_moderator
    or email is not null`.execute(copy.db)
  expect(rows).toEqual([])
  const ids = await idsIn('members')
  expect(await makeMember(copy.db)).toBeGreaterThan(Math.max(...ids))
})

test('imported code is not analyzed again, and code without a card is found by the scan', async () => {
  const { rows } = await sql<{ status: string; analyzer_version: number; awaits_review: boolean }>`
    select distinct status, analyzer_version, awaits_review from script_behaviors order by 1`.execute(copy.db)
  expect(rows).toEqual([
    { status: 'pending', analyzer_version: 0, awaits_review: true },
    { status: 'ready', analyzer_version: ANALYZER_VERSION, awaits_review: false },
  ])
})

const DAY_MS = 86_400_000

test('the daily dump is written once a day by a child process, and old ones are removed', async () => {
  const target = path.join(folder, 'daily')
  let now = Date.UTC(2026, 0, 1, 12)
  const lines: string[] = []
  const log = { info: (fields: unknown) => void lines.push((fields as { name: string }).name) }
  const daily = new DailyDump({ pool: copy.pool, log, folder: target, days: 2, site: () => site, now: () => now })
  await mkdir(path.join(target, '.unfinished-2025-12-31'), { recursive: true })
  await daily.run()
  await daily.run()
  now += DAY_MS
  await daily.run()
  now += DAY_MS
  await daily.run()
  expect(lines).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'])
  expect((await readdir(target)).toSorted()).toEqual(['2026-01-02', '2026-01-03'])
})

test('a dump that fails or is stopped leaves nothing behind', async () => {
  const target = path.join(folder, 'failing')
  const options = { log: copy.app.log, folder: target, days: 2, site: () => site }
  const missing = { options: { ...optionsLike(copy.pool), database: 'no_such_database' } } as unknown as TestApp['pool']
  await expect(new DailyDump({ ...options, pool: missing }).run()).rejects.toThrow(/no_such_database/)
  const stopped = new DailyDump({ ...options, pool: copy.pool })
  const running = stopped.run()
  setTimeout(() => stopped.stop(), 5)
  await expect(running).rejects.toThrow(/abort/)
  expect((await readdir(target)).filter((name) => !name.startsWith('.'))).toEqual([])
})

test('dumps are listed and downloaded, in parts too', async () => {
  const { app, config } = origin
  const target = path.join(config.dataDir, 'dumps')
  expect((await app.inject('/dumps/')).json()).toEqual({ dumps: [] })
  expect((await app.inject('/dumps/latest')).statusCode).toBe(404)
  const { pool } = origin
  await writeDump({ connection: optionsLike(pool), folder: path.join(target, '2026-01-05'), site })
  await mkdir(path.join(target, '.unfinished-2026-01-06'), { recursive: true })
  await writeFile(path.join(target, '.unfinished-2026-01-06', 'manifest.json'), '{}')
  const { dumps } = (await app.inject('/dumps/')).json<DumpList>()
  expect(dumps.map(({ name }) => name)).toEqual(['2026-01-05'])
  expect((await app.inject('/dumps/latest')).headers.location).toBe('/dumps/2026-01-05/manifest.json')
  for (const { url, bytes, sha256 } of dumps[0]?.files ?? []) {
    const whole = await app.inject(new URL(url).pathname)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/gzip',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=86400, immutable',
    })
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(sha256)
    const part = await app.inject({ url: new URL(url).pathname, headers: { range: 'bytes=2-5' } })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 2-5/${bytes}`])
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(2, 6))
    const known = await app.inject({
      url: new URL(url).pathname,
      headers: { 'if-none-match': String(whole.headers.etag) },
    })
    expect(known.statusCode).toBe(304)
  }
  for (const url of [
    '/dumps/.unfinished-2026-01-06/manifest.json',
    '/dumps/2026-01-05/../../secret-key',
    '/dumps/2026-01-05/',
  ]) {
    expect((await app.inject(url)).statusCode, url).toBeGreaterThanOrEqual(400)
  }
  expect((await copy.app.inject('/dumps/')).statusCode).toBe(404)
})
