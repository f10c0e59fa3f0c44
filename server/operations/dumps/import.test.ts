import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DUMP_FORMAT_VERSION, type DumpKindName, type DumpManifest } from '#contract/dumps.ts'
import { optionsLike } from '#server/platform/db/pool.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { minimalScript, publish, sendScript } from '#tests/support/scripts.ts'
import { importDump } from './import.ts'
import { writeDump } from './write.ts'

let origin: TestApp
let target: TestApp
let folder: string
let dump: string
const site = { name: 'Origin', url: 'https://origin.example' }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-import-'))
  ;[origin, target] = await Promise.all([createTestApp(), createTestApp()])
  const author = await makeMember(origin.db)
  const first = await makeScript(origin.db, { author_id: author, tags: ['one', 'two'], content: 'print(1)' })
  const second = await makeScript(origin.db, { title: 'Other', tags: ['two'], content: 'print(2)' })
  await origin.db
    .insertInto('ratings')
    .values([first, second].map((script_id) => ({ script_id, member_id: author, rating: 5, review: 'Good.' })))
    .execute()
  await origin.db.updateTable('script_stats').set({ five_star: 1 }).execute()
  await origin.db.insertInto('comments').values({ script_id: first, author_id: author, text: 'A comment.' }).execute()
  await sql`insert into withdrawals (script_id, slug, version, sha256, withdrawn_as, reason, reinstated_at, is_sitewide) values
    (${second}, ${`other-${second}`}, '0.9.0', encode(sha256('print(0)'), 'hex'), 'moderators', 'It sends cookies.', null, true),
    (5000, 'gone-5000', '1.0.0', repeat('0', 64), 'author', 'Broken.', now(), false)`.execute(origin.db)
  await writeDump({ connection: optionsLike(origin.pool), folder: path.join(folder, 'whole'), site })
})
afterAll(async () => {
  await Promise.all([origin, target].map((app) => app.close()))
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  dump = await mkdtemp(path.join(folder, 'damaged-'))
  await cp(path.join(folder, 'whole'), dump, { recursive: true })
})

const load = (app = target, from = dump) => importDump({ db: app.db, store: app.media.store, seal: app.seal }, from)
const fileOf = (kind: DumpKindName) => path.join(dump, `${kind}.ndjson.gz`)
const manifestFile = () => path.join(dump, 'manifest.json')
const readManifest = async () => JSON.parse(await readFile(manifestFile(), 'utf8')) as DumpManifest

async function changeManifest(change: (manifest: DumpManifest) => void): Promise<void> {
  const manifest = await readManifest()
  change(manifest)
  await writeFile(manifestFile(), JSON.stringify(manifest))
}

/** Replaces the lines of a file and corrects its checksum and counts, as a careful forger would. */
async function changeLines(kind: DumpKindName, change: (lines: string[]) => string[]): Promise<void> {
  const lines = gunzipSync(await readFile(fileOf(kind)))
    .toString()
    .split('\n')
    .slice(0, -1)
  const changed = change(lines)
  const text = changed.map((line) => `${line}\n`).join('')
  const bytes = gzipSync(text)
  await writeFile(fileOf(kind), bytes)
  await changeManifest(({ files }) => {
    const file = files.find((each) => each.kind === kind)
    if (!file) return
    file.rows = changed.length
    file.bytes = bytes.length
    file.uncompressed_bytes = Buffer.byteLength(text)
    file.sha256 = createHash('sha256').update(bytes).digest('hex')
  })
}

const changeRow = (kind: DumpKindName, values: Record<string, unknown>) =>
  changeLines(kind, ([line = '{}', ...rest]) => [
    JSON.stringify({ ...(JSON.parse(line) as object), ...values }),
    ...rest,
  ])

async function findFault(): Promise<string> {
  const error: unknown = await load().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UserFacingError)
  const { rows } = await sql<{ members: number; scripts: number; tags: number }>`select
    (select count(*) from members) as members, (select count(*) from scripts) as scripts,
    (select count(*) from tags) as tags`.execute(target.db)
  expect(rows).toEqual([{ members: 0, scripts: 0, tags: 0 }])
  return (error as Error).message
}

test('a truncated file is rejected', async () => {
  await truncate(fileOf('versions'), 100)
  expect(await findFault()).toMatch(/versions\.ndjson\.gz has 100 bytes instead of \d+: it is not complete/)
})

test('a file that ends early although its size and checksum match is rejected', async () => {
  const bytes = (await readFile(fileOf('versions'))).subarray(0, 100)
  await writeFile(fileOf('versions'), bytes)
  await changeManifest(({ files }) => {
    const file = files.find(({ kind }) => kind === 'versions')
    if (file) Object.assign(file, { bytes: 100, sha256: createHash('sha256').update(bytes).digest('hex') })
  })
  expect(await findFault()).toMatch(/versions\.ndjson\.gz is damaged/)
})

test('a file with another checksum is rejected', async () => {
  await changeManifest(({ files }) => {
    const file = files.find(({ kind }) => kind === 'reviews')
    if (file) file.sha256 = '0'.repeat(64)
  })
  expect(await findFault()).toMatch(/reviews\.ndjson\.gz does not have the checksum/)
})

test('a file with a changed byte is rejected', async () => {
  const bytes = await readFile(fileOf('scripts'))
  bytes[40] = (bytes[40] ?? 0) ^ 1
  await writeFile(fileOf('scripts'), bytes)
  expect(await findFault()).toMatch(
    /scripts\.ndjson\.gz (is damaged|does not have the checksum|is longer)|Line \d+ of scripts/,
  )
})

test('a missing file, or a symbolic link in its place, is rejected', async () => {
  await rm(fileOf('tags'))
  expect(await findFault()).toMatch(/tags\.ndjson\.gz is missing/)
  await symlink(path.join(folder, 'whole/tags.ndjson.gz'), fileOf('tags'))
  expect(await findFault()).toMatch(/tags\.ndjson\.gz is missing/)
})

test('rows out of order and repeated rows are rejected', async () => {
  await changeLines('scripts', (lines) => lines.toReversed())
  expect(await findFault()).toMatch(/Line 2 of scripts\.ndjson\.gz is out of order or repeats a row/)
  await changeLines('scripts', ([line = '']) => [line, line])
  expect(await findFault()).toMatch(/Line 2 of scripts\.ndjson\.gz is out of order or repeats a row/)
})

test.each<[string, DumpKindName, Record<string, unknown>, RegExp]>([
  ['an unknown field', 'members', { is_admin: true }, /Line 1 of members\.ndjson\.gz does not match the format/],
  ['a link that runs code', 'members', { website: 'javascript:alert(1)' }, /Line 1 of members/],
  [
    'text that PostgreSQL cannot store',
    'comments',
    { text: 'a\0b' },
    /Line 1 of comments\.ndjson\.gz has invalid text/,
  ],
  ['half of a surrogate pair', 'comments', { text: 'a\ud800b' }, /Line 1 of comments\.ndjson\.gz has invalid text/],
  ['other code than its hash says', 'versions', { content: 'print(3)' }, /code that does not match/],
  ['a member whose slug is an id', 'members', { slug: '12' }, /member \d+ has an invalid slug/],
  ['a member whose slug is a path', 'members', { slug: '../x' }, /member \d+ has an invalid slug/],
  ['a script without its author', 'scripts', { author_id: 999 }, /the author of script \d+ is not in it/],
  ['a script with an unknown tag', 'scripts', { tags: ['three'] }, /script \d+ has unknown tags/],
  ['a script without its version', 'scripts', { current_version: 2 }, /version 1 of script \d+ is not current/],
  ['a version in another state', 'versions', { state: 'former' }, /version 1 of script \d+ is not former/],
  ['an unknown successor', 'scripts', { successor_id: 7000 }, /successor of script \d+ is not in it/],
  ['a withdrawal under another slug', 'withdrawals', { slug: 'other-7000' }, /withdrawal \d+ has the slug of another/],
  ['a review of an unknown script', 'reviews', { script_id: 999 }, /the script of review \d+ is not in it/],
  ['a reply to an unknown comment', 'comments', { parent_id: 999 }, /replies to an unknown comment/],
  ['a date that does not exist', 'scripts', { created_at: '2026-02-31T00:00:00.000000Z' }, /the database rejects/],
])('a row with %s is rejected', async (_name, kind, values, message) => {
  await changeRow(kind, values)
  expect(await findFault()).toMatch(message)
})

test('a dump from before versions had states has the newest version of each script as the current one', async () => {
  const toFormer = (line: string) => {
    const {
      published_at: _time,
      state: _state,
      provenance: _provenance,
      ...row
    } = JSON.parse(line) as Record<string, unknown>
    return JSON.stringify(row)
  }
  await changeLines('versions', (lines) => lines.map(toFormer))
  await changeManifest(({ files }) => files.pop())
  await rm(fileOf('withdrawals'))
  const site3 = await createTestApp()
  try {
    await load(site3)
    const { rows } = await sql`select bool_and(v.state = 'published' and v.state_since = v.created_at
        and v.hold_reasons is null and v.provenance ->> 'by' = 'unknown') as "isPublished",
      bool_and(s.is_public and not s.is_unchecked) as "isPublic"
      from script_versions v join scripts s on s.id = v.script_id`.execute(site3.db)
    expect(rows).toEqual([{ isPublished: true, isPublic: true }])
  } finally {
    await site3.close()
  }
})

test('withdrawn code stays withdrawn, and no new script gets the id of one that is gone', async () => {
  const site3 = await createTestApp()
  try {
    await load(site3)
    const read = async (app: TestApp) => (await app.app.inject('/api/v1/withdrawn')).json<object>()
    expect(await read(site3)).toEqual(await read(origin))
    const [first] = (
      await sql<{ slug: string; sha256: string }>`select slug, sha256 from withdrawals where script_id < 5000`.execute(
        site3.db,
      )
    ).rows
    const { statusCode, body } = await site3.app.inject(`/raw/${first?.slug}?sha256=${first?.sha256}`)
    expect([statusCode, body]).toEqual([410, expect.stringContaining('It sends cookies.')])
    const headers = await signIn(site3.db, await makeMember(site3.db))
    const again = await sendScript(site3, headers, { ...minimalScript, script_content: 'print(0)' })
    expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'withdrawn_code' }])
    expect(await publish(site3, headers)).toBeGreaterThan(5000)
  } finally {
    await site3.close()
  }
})

test('other totals than the manifest names are rejected after the whole transaction', async () => {
  await changeRow('scripts', { view_count: 5 })
  expect(await findFault()).toMatch(/The dump has 5 views instead of the 0 that its manifest names/)
})

test('fewer rows than the manifest names are rejected', async () => {
  await changeManifest(({ files }) => {
    const file = files.find(({ kind }) => kind === 'comments')
    if (file) file.rows++
  })
  expect(await findFault()).toMatch(/comments\.ndjson\.gz has 1 rows instead of 2/)
})

test('a newer format or schema is rejected', async () => {
  await changeManifest((manifest) => Object.assign(manifest, { format_version: DUMP_FORMAT_VERSION + 1, more: [] }))
  expect(await findFault()).toMatch(/Update Scriptyard/)
  await changeManifest((manifest) =>
    Object.assign(manifest, { format_version: DUMP_FORMAT_VERSION, more: undefined, schema_version: '9999-later.sql' }),
  )
  expect(await findFault()).toMatch(/newer version of Scriptyard \(9999-later\.sql\)/)
})

test('anything but a dump is rejected', async () => {
  await writeFile(manifestFile(), '[]')
  expect(await findFault()).toMatch(/not the manifest of a Scriptyard dump/)
  await writeFile(manifestFile(), '{"format":')
  expect(await findFault()).toMatch(/not valid JSON/)
  await rm(manifestFile())
  expect(await findFault()).toMatch(/There is no dump/)
})

test('a manifest that names a file elsewhere is rejected', async () => {
  await changeManifest(({ files }) => {
    const [file] = files
    if (file) file.name = '../../etc/passwd'
  })
  expect(await findFault()).toMatch(/does not list tags\.ndjson\.gz/)
})

test('a site that is not empty is not changed', async () => {
  const before = await sql`select (select max(id) from members) as m, (select max(id) from scripts) as s`.execute(
    origin.db,
  )
  await expect(load(origin)).rejects.toThrow(/This site is not empty/)
  const after = await sql`select (select max(id) from members) as m, (select max(id) from scripts) as s`.execute(
    origin.db,
  )
  expect(after.rows).toEqual(before.rows)
})

test('a dump without scripts, written by an empty site, fills an empty site', async () => {
  const empty = path.join(folder, 'empty')
  const { totals } = await writeDump({ connection: optionsLike(target.pool), folder: empty, site })
  expect(Object.values(totals).every((count) => count === 0)).toBe(true)
  expect(await load(target, empty)).toMatchObject({ missingImages: 0, openGiveaways: 0 })
  expect(await makeMember(target.db)).toBeGreaterThan(0)
  await sql`delete from members`.execute(target.db)
})

test('of two imports at once, one fills the site', async () => {
  const site2 = await createTestApp()
  try {
    const results = await Promise.allSettled([load(site2), load(site2)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const list = await site2.app.inject('/api/scripts')
    expect(list.json()).toMatchObject({ pagination: { total: 2 } })
  } finally {
    await site2.close()
  }
})
