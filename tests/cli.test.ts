import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { ACTION, CLI, makeFolder, removeFolders, runCommand, type RunOptions } from '#tests/support/cli.ts'
import { makeApiToken, makeMember, makeScript } from '#tests/support/factories.ts'
import { FakeIssuer } from '#tests/support/oidc-issuer.ts'

const github = new FakeIssuer('github')
const gitlab = new FakeIssuer('gitlab')
let site: TestApp
let origin: string
let memberId: number
let token: string
let folder: string
let config: string

beforeAll(async () => {
  await Promise.all([github.start(), gitlab.start()])
  site = await createTestApp({ forges: [github.forge, gitlab.forge] }, { runsJobs: true })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await site.close()
  await Promise.all([github.close(), gitlab.close()])
  removeFolders()
})
beforeEach(async () => {
  memberId = await makeMember(site.db)
  const { authorization } = await makeApiToken(site.db, memberId, ['scripts:write', 'scripts:read-private'])
  token = authorization.slice('Bearer '.length)
  folder = makeFolder()
  config = makeFolder()
})

const run = (command: string, args: string[], options: RunOptions = {}) =>
  runCommand(command, args, { folder, home: config, ...options })
const cli = (args: string[], options: RunOptions = {}) => run(process.execPath, [CLI, ...args], options)
const withToken = (args: string[], env: object = {}) => cli(args, { env: { SCRIPTYARD_TOKEN: token, ...env } })

const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
const writeManifest = (fields: object = {}) =>
  write(
    'scriptyard.json',
    JSON.stringify({ site: origin, file: 'lamp.luau', title: 'Lamp', description: 'A lamp.', ...fields }),
  )
const readManifest = () => JSON.parse(readFileSync(path.join(folder, 'scriptyard.json'), 'utf8')) as { slug?: string }
const countScripts = async () =>
  (await site.pool.query('select from scripts where author_id = $1', [memberId])).rowCount

describe('damaged input', () => {
  beforeEach(() => {
    writeManifest()
    write('lamp.luau', 'return 1')
  })
  const manifestText = () => readFileSync(path.join(folder, 'scriptyard.json'), 'utf8')

  test('a manifest may begin with a byte order mark, and is read-only', async () => {
    write('scriptyard.json', `\uFEFF${manifestText()}`)
    chmodSync(path.join(folder, 'scriptyard.json'), 0o444)
    const published = await withToken(['publish', '--json'])
    expect(published.code, published.err).toBe(0)
    const { slug } = JSON.parse(published.out) as { slug: string }
    expect(manifestText()).toContain(`"slug": "${slug}"`)
    expect(statSync(path.join(folder, 'scriptyard.json')).mode & 0o777).toBe(0o444)
  })

  test('a token file without tokens is named', async () => {
    mkdirSync(path.join(config, 'scriptyard'))
    writeFileSync(path.join(config, 'scriptyard/tokens.json'), 'null')
    const { code, err } = await cli(['publish'])
    expect([code, err]).toEqual([2, expect.stringContaining('tokens.json is damaged')])
  })

  test('quotes around a token do not count, other characters are named', async () => {
    expect((await cli(['publish'], { env: { SCRIPTYARD_TOKEN: `“${token}”` } })).code).toBe(0)
    const { code, err } = await cli(['status'], { env: { SCRIPTYARD_TOKEN: `${token}…x` } })
    expect([code, err]).toEqual([3, expect.stringContaining('Copy it again')])
  })

  test('a rejected token is named', async () => {
    writeManifest({ slug: 'lamp-1' })
    const { code, err } = await cli(['status'], { env: { SCRIPTYARD_TOKEN: 'sy_unknown' } })
    expect([code, err]).toEqual([3, expect.stringContaining('The site rejects the token')])
  })
})

test('the version of the program is printed', async () => {
  expect((await cli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

describe('from an empty folder', () => {
  test('a script is created, checked, published, published again and shown', async () => {
    const made = await cli(['init', '--site', origin, '--title', 'Lamp', '--file', 'lamp.luau'])
    expect([made.code, made.err]).toEqual([0, ''])
    write('lamp.luau', 'print("on")\n')
    expect((await cli(['check'])).out).toContain('lamp.luau compiles.')

    const signedIn = await cli(['login'], { input: `${token}\n` })
    expect([signedIn.code, signedIn.out]).toEqual([0, expect.stringContaining(`Signed in to ${origin} as user`)])
    const stored = path.join(config, 'scriptyard/tokens.json')
    expect(statSync(stored).mode & 0o777).toBe(0o600)
    expect(signedIn.out + signedIn.err).not.toContain(token)

    const published = await cli(['publish', '--json'])
    expect(published.code, published.err).toBe(0)
    const { slug } = readManifest()
    const url = `${origin}/scripts/${slug}`
    expect(JSON.parse(published.out)).toMatchObject({ status: 'created', state: 'current', slug, url })

    const again = await cli(['publish', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ status: 'unchanged', version: { number: 1 }, changed: [] })
    expect((await cli(['status'])).out).toContain('The published code is the code here.')

    write('lamp.luau', 'print("off")\n')
    expect(JSON.parse((await cli(['status', '--json'])).out)).toMatchObject({ status: 'outdated' })
    const next = await cli(['publish', '--json', '--changelog', 'Darker.', '--version', '1.1.0'])
    expect(JSON.parse(next.out)).toMatchObject({
      status: 'added',
      version: { number: 2, version: '1.1.0', changelog: 'Darker.' },
    })
    expect(await countScripts()).toBe(1)
  })

  test('a token for versions publishes the code and leaves other fields as they are', async () => {
    writeManifest({ tags: ['light'] })
    write('lamp.luau', 'return 1')
    expect((await withToken(['publish'])).code).toBe(0)
    const { authorization } = await makeApiToken(site.db, memberId, ['versions:write'])
    writeManifest({ ...readManifest(), tags: ['warm'] })
    write('lamp.luau', 'return 2')
    const published = await cli(['publish', '--json'], { env: { SCRIPTYARD_TOKEN: authorization.slice(7) } })
    expect(JSON.parse(published.out)).toMatchObject({ status: 'added', changed: [] })
    expect(published.err).toContain('other fields of the manifest stay as they are')
  })

  test('fields that changed in the manifest are changed on the site, also of a private script', async () => {
    writeManifest({ is_public: false, tags: ['light'] })
    write('lamp.luau', 'return 1')
    expect((await withToken(['publish'])).code).toBe(0)
    writeManifest({ ...readManifest(), is_public: false, tags: ['light', 'warm'], summary: 'Shines.' })
    const { out, err } = await withToken(['publish', '--json'])
    expect(JSON.parse(out), err).toMatchObject({ status: 'unchanged', changed: ['tags', 'summary'] })
    expect(JSON.parse((await withToken(['publish', '--json'])).out)).toMatchObject({ changed: [] })
  })
})

describe('the program rejects', () => {
  test.each([
    ['a path that leaves the folder', { file: '../lamp.luau' }, 'inside this folder'],
    ['a hidden path that leaves the folder', { file: 'a/../../lamp.luau' }, 'inside this folder'],
    ['an absolute path', { file: '/etc/passwd' }, 'inside this folder'],
    ['an absolute path of Windows', { file: 'C:\\lamp.luau' }, 'inside this folder'],
    ['a link that leaves the folder', { file: 'linked.luau' }, 'leads outside this folder'],
    ['a link in the path', { file: 'linked/lamp.luau' }, 'leads outside this folder'],
    ['a folder', { file: 'sub' }, 'is not a file'],
    ['a missing file', { file: 'none.luau' }, 'does not exist'],
    ['an unknown field', { titel: 'Lamp' }, 'unknown field, titel'],
    ['a field of the wrong kind', { tags: 'light' }, 'tags must be a list of texts'],
    ['a missing title', { title: '' }, 'title is missing'],
    ['a site without encryption', { site: 'http://scripts.example' }, 'starts with https://'],
  ])('%s', async (_, fields, message) => {
    const outside = makeFolder()
    writeFileSync(path.join(outside, 'lamp.luau'), 'return 1')
    symlinkSync(path.join(outside, 'lamp.luau'), path.join(folder, 'linked.luau'))
    symlinkSync(outside, path.join(folder, 'linked'))
    mkdirSync(path.join(folder, 'sub'))
    writeManifest(fields)
    const { code, err } = await withToken(['publish'])
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(await countScripts()).toBe(0)
  })

  test('code that does not compile, with its line', async () => {
    writeManifest()
    write('lamp.luau', 'print("on")\nif then')
    const checked = await cli(['check', '--json'])
    expect([checked.code, JSON.parse(checked.out)]).toMatchObject([1, { compiles: false, error: { line: 2 } }])
    const { code, err } = await withToken(['publish'])
    expect([code, err]).toEqual([1, expect.stringContaining('lamp.luau, line 2:')])
  })

  test('a missing, wrong or weak token', async () => {
    writeManifest()
    write('lamp.luau', 'return 1')
    expect(await cli(['publish'])).toMatchObject({ code: 3, err: expect.stringContaining('scriptyard login') })
    const wrong = await cli(['publish', '--json'], { env: { SCRIPTYARD_TOKEN: 'sy_wrong' } })
    expect([wrong.code, JSON.parse(wrong.out).code]).toEqual([3, 'token_invalid'])
    const { authorization } = await makeApiToken(site.db, memberId, ['favorites:read'])
    const weak = await cli(['publish'], { env: { SCRIPTYARD_TOKEN: authorization.slice(7) } })
    expect(weak).toMatchObject({ code: 3, err: expect.stringContaining('lacks the scope scripts:write') })
    const login = await cli(['login'], { input: 'sy_wrong\n' })
    expect(login.code).toBe(3)
  })

  test('what the site rejects, with the field', async () => {
    writeManifest({ tags: ['x'.repeat(31)] })
    write('lamp.luau', 'return 1')
    const { code, out } = await withToken(['publish', '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([1, { code: 'invalid', fields: { tags: expect.any(String) } }])
  })

  test('a first publication in a build, where the slug would be lost', async () => {
    writeManifest()
    write('lamp.luau', 'return 1')
    expect(await withToken(['publish'], { CI: 'true' })).toMatchObject({ code: 2 })
    expect((await withToken(['publish', '--create'], { CI: 'true' })).code).toBe(0)
  })

  test('unknown commands and options', async () => {
    expect((await cli(['unpublish'])).code).toBe(2)
    expect((await cli(['check', '--fast'])).code).toBe(2)
    expect((await cli(['check', 'a', 'b'])).code).toBe(2)
    expect((await cli(['--help'])).out).toContain('Usage: scriptyard')
  })

  test('an unreachable site', async () => {
    writeManifest({ site: 'http://127.0.0.1:9', slug: 'lamp-1' })
    write('lamp.luau', 'return 1')
    expect(await withToken(['publish'])).toMatchObject({ code: 4, err: expect.stringContaining('cannot be reached') })
  })
})

test('check shows what the code does and what the manifest does not declare', async () => {
  writeManifest({ declared_capabilities: [], declared_hosts: [] })
  write('lamp.luau', 'loadstring(game:HttpGet("https://example.com/hub.lua"))()')
  const { code, out } = await cli(['check'])
  expect(code).toBe(0)
  expect(out).toContain('example.com (line 1)')
  expect(out).toContain('Not declared in scriptyard.json: net.get, code.remote, example.com')
})

test('the build action publishes a repository, once per state of its code', async () => {
  writeManifest()
  write('lamp.luau', 'return 1')
  expect((await withToken(['publish'])).code).toBe(0)
  const { slug } = readManifest()
  const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  await git('init', '-q')
  await git('add', '.')
  await git('commit', '-qm', 'Add the lamp')
  const build = async (changelog: string) => {
    const checkout = makeFolder()
    await git('clone', '-q', folder, checkout)
    const output = path.join(checkout, 'output')
    const { code, err } = await run('bash', [ACTION], {
      env: {
        CI: 'true',
        SCRIPTYARD_CLI: `${process.execPath} ${CLI}`,
        SCRIPTYARD_TOKEN: token,
        SCRIPTYARD_FOLDER: checkout,
        SCRIPTYARD_CHANGELOG: changelog,
        GITHUB_OUTPUT: output,
      },
    })
    expect(code, err).toBe(0)
    return readFileSync(output, 'utf8').split('\n').slice(0, 3)
  }
  const url = expect.stringMatching(new RegExp(`^url=.*/scripts/${slug}$`))
  expect(await build('Nothing new')).toEqual(['status=unchanged', 'state=current', url])
  write('lamp.luau', 'return 2')
  await git('commit', '-qam', 'Make it "brighter" -- $(now)')
  expect(await build('Make it "brighter" -- $(now)')).toEqual(['status=added', 'state=current', url])
  const { rows } = await site.pool.query(
    'select changelog from script_versions v join scripts s on s.id = v.script_id where s.author_id = $1 and number = 2',
    [memberId],
  )
  expect(rows).toEqual([{ changelog: 'Make it "brighter" -- $(now)' }])
})

test.each([
  [`${'x'.repeat(190)} 👨‍👩‍👧‍👦👨‍👩‍👧‍👦 and more words\n\nIn the body.`, `${'x'.repeat(190)} 👨‍👩‍👧‍👦`],
  ['\n  Fix\u0007 the\u202E lamp\u200B\r\n\r\nLong text.', 'Fix the lamp'],
  ['--version', '--version'],
  [' \n\u200B\n', null],
])('the changelog of the commit message %j is %j', async (message, changelog) => {
  writeManifest()
  write('lamp.luau', 'return 1')
  await withToken(['publish'])
  write('lamp.luau', 'return 2')
  const result = await run('bash', [ACTION], {
    env: {
      SCRIPTYARD_CLI: `${process.execPath} ${CLI}`,
      SCRIPTYARD_TOKEN: token,
      SCRIPTYARD_FOLDER: folder,
      SCRIPTYARD_CHANGELOG: message,
    },
  })
  expect([result.code, result.err]).toEqual([0, expect.any(String)])
  expect(JSON.parse(result.out.trim().split('\n').at(-1) ?? '')).toMatchObject({ version: { number: 2, changelog } })
})

test('a byte order mark is not part of the code, and line breaks stay as they are', async () => {
  const code = '-- a\r\nprint(1)\rreturn 1'
  writeManifest()
  write('lamp.luau', `\uFEFF${code}`)
  expect((await cli(['check'])).out).toContain('lamp.luau compiles.')
  expect((await withToken(['publish'])).code).toBe(0)
  expect((await withToken(['status'])).out).toContain('The published code is the code here.')
  const { rawPayload } = await site.app.inject(`/raw/${readManifest().slug}`)
  expect(rawPayload.toString()).toBe(code)
  write('lamp.luau', code)
  expect(JSON.parse((await withToken(['publish', '--json'])).out)).toMatchObject({ status: 'unchanged' })
})

describe('a build without a token', () => {
  let slug: string
  let scriptId: number
  beforeEach(async () => {
    await site.pool.query('delete from trusted_publishers')
    scriptId = await makeScript(site.db, { author_id: memberId, title: 'Lamp', description: 'A lamp.' })
    slug = `lamp-${scriptId}`
    writeManifest({ slug, tags: ['light'] })
    write('lamp.luau', 'return "from a build"')
  })
  const trust = (forge: string, repository: string, workflow: string) =>
    site.db.insertInto('trusted_publishers').values({ script_id: scriptId, forge, repository, workflow }).execute()

  test('publishes with the ID token of GitHub, which the action needs no secret for', async () => {
    await trust(github.forge.url, 'owner/lamp', 'release.yml')
    const asked: string[] = []
    const runner = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${new URL(request.url ?? '', origin).search}`)
      void github.sign().then((value) => response.end(JSON.stringify({ value })))
    })
    runner.listen(0, '127.0.0.1')
    await once(runner, 'listening')
    const output = path.join(folder, 'output')
    const env = {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(runner.address() as AddressInfo).port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
      SCRIPTYARD_CLI: `${process.execPath} ${CLI}`,
      SCRIPTYARD_TOKEN: '',
      GITHUB_OUTPUT: output,
    }
    const first = await run('bash', [ACTION], { env })
    expect(first.code, first.err).toBe(0)
    expect(readFileSync(output, 'utf8')).toContain('status=added')
    // Other fields of the manifest stay as they are.
    expect(JSON.parse(first.out.split('\n').at(-2) ?? '')).toMatchObject({ changed: [] })
    expect(asked).toEqual([`Bearer of-the-runner ?api-version=2.0&audience=${encodeURIComponent(origin)}`])
    const again = await cli(['publish', '--json'], { env })
    expect(JSON.parse(again.out)).toMatchObject({ status: 'unchanged' })
    runner.close()
  })

  test('publishes with the ID token of a job of GitLab', async () => {
    await trust(gitlab.forge.url, 'group/sub/lamp', '.gitlab-ci.yml')
    const env = { CI: 'true', SCRIPTYARD_ID_TOKEN: await gitlab.sign() }
    const published = await cli(['publish', '--json'], { env })
    expect(JSON.parse(published.out), published.err).toMatchObject({ status: 'added' })
    expect(await cli(['publish'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('exchanged already'),
    })
  })

  test('learns what is missing: the permission, or the trust of the script', async () => {
    const withoutPermission = await cli(['publish'], { env: { GITHUB_ACTIONS: 'true' } })
    expect(withoutPermission).toMatchObject({ code: 3, err: expect.stringContaining('id-token: write') })
    const untrusted = await cli(['publish'], { env: { SCRIPTYARD_ID_TOKEN: await gitlab.sign() } })
    expect(untrusted).toMatchObject({ code: 3, err: expect.stringContaining('does not trust this repository') })
  })
})
