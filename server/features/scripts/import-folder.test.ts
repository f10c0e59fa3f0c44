import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deferredChecks } from '#server/features/releases/checks.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { checkVersions } from '#tests/support/scripts.ts'
import { importFolder } from './import-folder.ts'

let site: TestApp
let folder: string
let author: number
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-folder-'))
  author = await makeMember(site.db)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(files: Record<string, string | Buffer>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), content)
  }
}

async function run({ write = true, member = String(author), isChecked = true } = {}) {
  const files = await importFolder(
    { db: site.db, media: site.media, checks: deferredChecks, emit: async () => {} },
    { folder, member, write },
  )
  if (isChecked) await checkVersions(site)
  return files
}

async function findScripts() {
  const { rows } = await sql<Record<string, unknown>>`select s.title, s.description, s.version, s.license, s.is_public,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id order by x.position)
        as tags, v.content, s.current_version as versions
    from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.author_id = ${author} order by s.id`.execute(site.db)
  return rows
}

const actions = async (options?: Parameters<typeof run>[0]) =>
  Object.fromEntries((await run(options)).map(({ file, action }) => [file, action]))

test('scripts get their properties from the comments, the property file and the file name', async () => {
  const commented =
    '--!strict\n-- @title Fast travel\n-- @tags Travel, map\n-- @version 2.1\n-- Opens the map.\n-- Then travels.\n\nprint(1)'
  await put({
    'a/fast.luau': commented,
    'b/auto_farm.lua': '--[[\nHarvests crops.\n@license MIT\n@is_public false\n@param ignored\n]]\nprint(2)',
    'c.luau': 'print(3)',
    'scriptyard.json': JSON.stringify({
      defaults: { description: 'From the defaults.', license: 'ISC' },
      scripts: [{ file: 'c.luau', title: 'Named', tags: ['x'] }],
    }),
    'notes.txt': 'not a script',
    '.git/hook.lua': 'print(4)',
  })
  expect(await actions()).toEqual({ 'a/fast.luau': 'publish', 'b/auto_farm.lua': 'publish', 'c.luau': 'publish' })
  const common = {
    versions: 1,
    is_public: true,
    version: '1.0.0',
    license: 'ISC',
    tags: [],
    description: 'From the defaults.',
  }
  expect(await findScripts()).toEqual([
    { ...common, title: 'Fast travel', version: '2.1', tags: ['travel', 'map'], content: commented },
    { ...common, title: 'Auto farm', license: 'MIT', is_public: false, content: expect.stringContaining('print(2)') },
    { ...common, title: 'Named', tags: ['x'], content: 'print(3)' },
  ])
})

test('comments describe a script without a description', async () => {
  await put({ 'a.lua': '-- Opens the map.\n-- @title Map\nprint(1)' })
  await run()
  expect(await findScripts()).toMatchObject([{ title: 'Map', description: 'Opens the map.' }])
})

test('a byte order mark is not part of the code, and line breaks stay as they are', async () => {
  await put({ 'a.lua': '\uFEFF-- Text.\r\nprint(1) -- a\rb' })
  await run()
  expect(await findScripts()).toMatchObject([{ content: '-- Text.\r\nprint(1) -- a\rb' }])
})

test('a dry run writes nothing and says what would happen', async () => {
  await put({ 'a.lua': '-- Text.\nprint(1)' })
  expect(await actions({ write: false })).toEqual({ 'a.lua': 'publish' })
  expect(await findScripts()).toEqual([])
})

test('a file with new code and a version number that is used is an error, also in a dry run', async () => {
  await put({ 'a.luau': '-- A clock.\n-- @version 1.0.0\nprint(1)' })
  await run()
  await put({ 'a.luau': '-- A clock.\n-- @version 1.0.0\nprint(2)' })
  for (const write of [false, true]) {
    expect(await run({ write })).toMatchObject([
      {
        action: 'error',
        note: 'Version 1.0.0 is already published. Choose another number, such as 1.0.1.',
      },
    ])
  }
  await put({ 'a.luau': '-- A clock.\nprint(2)' })
  expect(await actions()).toEqual({ 'a.luau': 'update' })
  expect(await findScripts()).toMatchObject([{ version: '1.0.1', versions: 2 }])
})

test('a second run changes nothing, new code adds a version, and a renamed file keeps its script', async () => {
  await put({ 'my script.lua': '-- Text.\nprint(1)', 'other.lua': '-- Text.\nprint(2)' })
  await run()
  expect(await actions()).toEqual({ 'my script.lua': 'unchanged', 'other.lua': 'unchanged' })
  await put({ 'my script.lua': '-- Text.\nprint(3)' })
  expect(await actions({ write: false })).toEqual({ 'my script.lua': 'update', 'other.lua': 'unchanged' })
  expect(await actions()).toEqual({ 'my script.lua': 'update', 'other.lua': 'unchanged' })
  await rm(path.join(folder, 'other.lua'))
  await put({ 'renamed.lua': '-- Text.\nprint(2)' })
  expect(await actions()).toEqual({ 'my script.lua': 'unchanged', 'renamed.lua': 'unchanged' })
  expect(await findScripts()).toMatchObject([
    { title: 'My script', versions: 2, content: '-- Text.\nprint(3)' },
    { title: 'Other', versions: 1 },
  ])
})

test('changed properties update the script', async () => {
  await put({ 'a.lua': '-- @tags one\n-- Text.\nprint(1)' })
  await run()
  await put({ 'scriptyard.json': '{"scripts": [{"file": "a.lua", "tags": ["two"], "summary": "Short."}]}' })
  expect(await actions()).toEqual({ 'a.lua': 'update' })
  expect(await actions()).toEqual({ 'a.lua': 'unchanged' })
  expect(await findScripts()).toMatchObject([{ tags: ['two'], versions: 1 }])
})

test('files that cannot be published are named with the reason, and the others are published', async () => {
  await put({
    'empty.lua': '',
    'latin.lua': Buffer.from([0x2d, 0x2d, 0xe9]),
    'large.lua': 'x'.repeat(1_048_577),
    'nul.lua': '-- Text.\nprint("\0")',
    'undescribed.lua': 'print(1)',
    'license.lua': '-- @license None\n-- Text.\nprint(2)',
    'tags.lua': `-- @tags ${'x'.repeat(31)}\n-- Text.\nprint(3)`,
    'same.lua': '-- Text.\nprint(4)',
    'SAME.lua': '-- Text.\nprint(5)',
    'good.lua': '-- Text.\nprint(6)',
  })
  await symlink('/etc/passwd', path.join(folder, 'link.lua'))
  await symlink('/etc', path.join(folder, 'linked'))
  const results = Object.fromEntries((await run()).map(({ file, note }) => [file, note]))
  expect(results).toEqual({
    'SAME.lua': '',
    'empty.lua': expect.stringContaining('must not be empty'),
    'good.lua': '',
    'large.lua': 'The file has more than 1,048,576 bytes.',
    'latin.lua': 'The file is not UTF-8 text.',
    'license.lua': expect.stringContaining('License must be one of'),
    'link.lua': 'Symbolic links are not followed.',
    linked: 'Symbolic links are not followed.',
    'nul.lua': expect.stringContaining('control characters'),
    'same.lua': 'SAME.lua has the same title or the same code.',
    'tags.lua': expect.stringContaining('Tags can have at most'),
    'undescribed.lua': expect.stringContaining('Description must not be empty'),
  })
  expect(await findScripts()).toHaveLength(2)
})

test.each([
  ['{"scripts": [{"file": "../a.lua"}]}', /outside of the folder/],
  ['{"scripts": [{"file": "/etc/passwd"}]}', /outside of the folder/],
  ['{"scripts": [{"file": "x\\\\..\\\\..\\\\a.lua"}]}', /outside of the folder/],
  ['{"scripts": [{"file": "missing.lua"}]}', /names missing\.lua, which is not in the folder/],
  ['{"script": []}', /scriptyard\.json: /],
  ['{', /scriptyard\.json: It is not valid JSON/],
])('the property file %s stops the import', async (text, message) => {
  await put({ 'a.lua': '-- Text.\nprint(1)', 'scriptyard.json': text })
  await expect(run()).rejects.toThrow(message)
  expect(await findScripts()).toEqual([])
})

test('the rules of publishing hold: standing, quota and hidden scripts', async () => {
  await put({ 'a.lua': '-- Text.\n-- @is_public true\nprint(1)' })
  await expect(run({ member: 'nobody-here' })).rejects.toThrow(/no member nobody-here/)
  const setUntil = (column: 'banned_until' | 'muted_until', value: string | null) =>
    site.db
      .updateTable('members')
      .set({ [column]: value })
      .where('id', '=', author)
      .execute()
  await setUntil('banned_until', 'infinity')
  await expect(run()).rejects.toThrow(/is banned/)
  await setUntil('banned_until', null)
  await setUntil('muted_until', 'infinity')
  expect(await run()).toMatchObject([{ action: 'error', note: expect.stringContaining('muted') }])
  await setUntil('muted_until', null)
  const id = await makeScript(site.db, { author_id: author, title: 'A' })
  await sql`update scripts set hidden_at = now(), was_public = true, is_public = false where id = ${id}`.execute(
    site.db,
  )
  expect(await run()).toMatchObject([{ action: 'error', note: expect.stringContaining('Moderators hid this script') }])
})

test('code waits for its check, which the running site does, and so does the code of an update', async () => {
  const find = async () => {
    const { rows } = await sql`select v.number, v.state, s.is_public, s.current_version, b.status, b.awaits_review
      from scripts s join script_versions v on v.script_id = s.id join script_behaviors b on b.script_id = s.id
      where s.author_id = ${author} order by v.number`.execute(site.db)
    return rows
  }
  await put({ 'a.lua': '-- Text.\nprint("waits")' })
  await run({ isChecked: false })
  const first = { number: 1, current_version: 1, awaits_review: true }
  expect(await find()).toEqual([{ ...first, state: 'checking', is_public: false, status: 'pending' }])
  await checkVersions(site)
  expect(await find()).toEqual([{ ...first, state: 'published', is_public: true, status: 'ready' }])
  await put({ 'a.lua': '-- Text.\nprint("waits, too")' })
  await run({ isChecked: false })
  expect(await find()).toMatchObject([
    { number: 1, state: 'published', current_version: 1 },
    { number: 2, state: 'checking' },
  ])
})

test('a script that accepts only builds is a fault of the file, also before anything is written', async () => {
  await put({ 'lamp.luau': '-- @title Lamp\n-- A lamp.\nprint(1)' })
  await run()
  await site.pool.query('update scripts set only_builds = true where author_id = $1', [author])
  await put({ 'lamp.luau': '-- @title Lamp\n-- A lamp.\nprint(2)' })
  for (const write of [false, true]) {
    expect(await run({ write })).toMatchObject([
      { action: 'error', note: expect.stringContaining('Only trusted builds may publish versions') },
    ])
  }
  expect(await findScripts()).toMatchObject([{ versions: 1 }])
})
