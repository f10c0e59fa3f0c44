import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import type { FakeForge } from '#tests/support/fake-forge.ts'
import { FILE, RepositorySite } from '#tests/support/repository-site.ts'
import { sendRelease } from '#tests/support/scripts.ts'

const on = new RepositorySite()
const { github, gitlab } = on
beforeAll(() => on.start())
afterAll(() => on.close())
beforeEach(() => on.reset())

describe.each(['github', 'gitlab'] as const)('a push on %s', (kind) => {
  const open = () => (kind === 'github' ? github : gitlab)
  const connectTo = (changes: object = {}) => on.connect({ forge: open().forge.url, ...changes })

  test('publishes the changed file at its commit, with the message as the changelog', async () => {
    const { url, secret } = await connectTo()
    const commit = open().commit({ [FILE]: 'return "pushed"', 'README.md': 'x' }, { message: 'Brighter lamp\n\nMuch.' })
    const response = await on.send(open().deliver(url, secret, open().push([commit], undefined)))
    expect([response.statusCode, response.json()]).toEqual([202, { message: 'This push updates 1 script.' }])
    expect(await on.finish()).toMatchObject([
      { state: 'published', reason: 'push', commit: commit.id, path: FILE, version_number: 2, error: null },
    ])
    expect(await on.codeOf()).toBe('return "pushed"')
    expect(open().requests).toHaveLength(1)
    const { rows } = await on.app.pool.query(
      `select changelog, provenance ->> 'commit_url' as url from script_versions where script_id = $1 and number = 2`,
      [on.scriptId],
    )
    const page = `${open().forge.url}/owner/lamp${kind === 'github' ? '' : '/-'}/commit/${commit.id}`
    expect(rows).toEqual([{ changelog: 'Brighter lamp', url: page }])
  })

  test('of code that starts something serious says that its version is held, until it is current', async () => {
    const { url, secret } = await connectTo()
    const commit = open().commit({ [FILE]: `loadstring(game:HttpGet("https://${kind}.example/x.lua"))()` })
    await on.send(open().deliver(url, secret, open().push([commit], undefined)))
    expect(await on.finish()).toMatchObject([{ state: 'published', version_number: 2, version_state: 'held' }])
    expect(await on.codeOf()).toBe('return 1')
    const moderator = await signIn(on.app.db, await makeMember(on.app.db, { is_moderator: true }))
    expect((await sendRelease(on.app, moderator, on.scriptId, 2)).statusCode).toBe(200)
    expect((await on.read()).syncs).toMatchObject([{ state: 'published', version_state: 'current' }])
  })

  test('of the code that is current adds no version', async () => {
    const { url, secret } = await connectTo()
    const commit = open().commit({ [FILE]: 'return 1' })
    await on.send(open().deliver(url, secret, open().push([commit], undefined)))
    expect(await on.finish()).toMatchObject([{ state: 'unchanged', version_number: 1 }])
  })

  test('of other files, another branch, a tag or a deleted branch changes nothing', async () => {
    const { url, secret } = await connectTo()
    const other = open().commit({ 'README.md': 'x' })
    const side = open().commit({ [FILE]: 'return "side"' }, { branch: 'side' })
    const zeros = '0'.repeat(40)
    const events = [
      open().push([other], undefined),
      open().push([side], undefined, { ref: 'refs/heads/side' }),
      open().push([side], undefined, { ref: 'refs/tags/v1' }),
      open().push([], side.id, { after: zeros }),
    ]
    for (const event of events) expect((await on.send(open().deliver(url, secret, event))).statusCode).toBe(202)
    expect((await on.read()).syncs).toEqual([])
    expect(open().requests).toEqual([])
  })

  test('that deletes or renames the file leaves the script as it is', async () => {
    const { url, secret } = await connectTo()
    const first = open().commit({ [FILE]: 'return "pushed"' })
    await on.send(open().deliver(url, secret, open().push([first], undefined)))
    await on.finish()
    const renamed = open().commit({ 'src/torch.luau': 'return "pushed"' })
    await on.send(open().deliver(url, secret, open().push([renamed], first.id)))
    const [skipped] = await on.finish()
    expect(skipped).toMatchObject({
      state: 'skipped',
      error: 'The file was deleted or renamed in the repository. The script stays as it is.',
    })
    expect(await on.codeOf()).toBe('return "pushed"')
  })

  test('that renames the file within the pattern publishes it under its new name', async () => {
    const { url, secret } = await connectTo({ pattern: 'src/**/lamp*.{lua,luau}' })
    const first = open().commit({ [FILE]: 'return "pushed"' })
    await on.send(open().deliver(url, secret, open().push([first], undefined)))
    await on.finish()
    const renamed = open().commit({ 'src/new/lamp2.lua': 'return "renamed"' })
    await on.send(open().deliver(url, secret, open().push([renamed], first.id)))
    expect((await on.finish())[0]).toMatchObject({ state: 'published', path: 'src/new/lamp2.lua' })
  })

  test('of more commits than are listed looks into the repository', async () => {
    const { url, secret } = await connectTo({ pattern: 'src/*.luau' })
    open().commit({ 'README.md': 'x', [FILE]: 'return "found"' })
    const last = open().commit({ 'README.md': 'y', [FILE]: 'return "found"' })
    const incomplete = kind === 'github' ? { forced: true } : { total_commits_count: 25 }
    await on.send(open().deliver(url, secret, open().push([last], undefined, incomplete)))
    expect(await on.finish()).toMatchObject([{ state: 'published', path: FILE }])
    expect(await on.codeOf()).toBe('return "found"')
  })

  test('"Sync now" publishes the end of the branch', async () => {
    await connectTo({ branch: 'feature/lamps' })
    open().commit({ [FILE]: 'return "now"' }, { branch: 'feature/lamps' })
    const response = await on.syncNow()
    expect([response.statusCode, response.json().sync]).toMatchObject([202, { state: 'waiting', reason: 'manual' }])
    expect(await on.finish()).toMatchObject([
      { state: 'published', reason: 'manual', commit: open().branches['feature/lamps'], path: FILE },
    ])
    expect(await on.codeOf()).toBe('return "now"')
  })
})

describe('a push', () => {
  const pushFile = async (content: string | Buffer) => {
    const { url, secret } = await on.connect()
    const commit = github.commit({ [FILE]: content })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    return on.finish()
  }

  test('of 1,000 changed files requests the one that matters', async () => {
    const { url, secret } = await on.connect()
    const files = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`src/other-${i}.luau`, `return ${i}`]))
    const commit = github.commit({ ...files, [FILE]: 'return "one of many"' })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    expect(await on.finish()).toMatchObject([{ state: 'published' }])
    expect(github.requests).toEqual([`/raw/owner/lamp/${commit.id}/${FILE}`])
  })

  test('of a file with a byte order mark publishes the code after it, with its line breaks', async () => {
    expect(await pushFile('\uFEFF-- a\rb\r\nreturn 5')).toMatchObject([{ state: 'published' }])
    expect(await on.codeOf()).toBe('-- a\rb\r\nreturn 5')
  })

  test.each([
    ['a huge file', 'x'.repeat(1_100_000), 'The file is larger than 1 MiB.'],
    ['text that is not UTF-8', Buffer.from([0x72, 0xff, 0xfe]), 'The file is not UTF-8 text.'],
    ['an empty file', '', /must not be empty|at least/],
    ['blank code', '\uFEFF\r\n', /must not be empty/],
    ['control characters', 'return "\u0001"', /control/],
  ])('of %s fails with a sentence', async (_, content, message) => {
    expect(await pushFile(content)).toMatchObject([{ state: 'failed', error: expect.stringMatching(message) }])
    expect(await on.codeOf()).toBe('return 1')
  })

  test('that changes two matching files says so', async () => {
    const { url, secret } = await on.connect({ pattern: 'src/*.luau' })
    const commit = github.commit({ 'src/a.luau': 'return 2', 'src/b.luau': 'return 3' })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    expect(await on.finish()).toMatchObject([
      {
        state: 'failed',
        error: 'The pattern matches 2 files: src/a.luau, src/b.luau. Enter one that matches a single file.',
      },
    ])
  })

  test('with paths that leave the repository requests nothing', async () => {
    const { url, secret } = await on.connect({ pattern: '**/lamp.luau' })
    const commit = github.commit({ 'README.md': 'x' })
    const added = ['../lamp.luau', 'a/../../lamp.luau', '/lamp.luau', 'a//lamp.luau', '..%2flamp.luau/../lamp.luau']
    await on.send(github.deliver(url, secret, github.push([{ ...commit, added }], undefined)))
    expect((await on.read()).syncs).toEqual([])
    expect(github.requests).toEqual([])
  })

  test('updates all scripts that it concerns, and only those', async () => {
    const { url, secret } = await on.connect()
    const torch = await makeScript(on.app.db, { author_id: on.authorId, title: 'Torch' })
    const other = await makeScript(on.app.db, { author_id: on.authorId, title: 'Other' })
    await on.put({ script_id: torch, pattern: 'src/torch.*' })
    await on.put({ script_id: other, pattern: 'src/other.luau' })
    const commit = github.commit({ [FILE]: 'return "lamp"', 'src/torch.lua': 'return "torch"' })
    const response = await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    expect(response.json().message).toBe('This push updates 2 scripts.')
    await on.finish()
    await on.finish(torch)
    expect(await Promise.all([on.codeOf(), on.codeOf(torch), on.codeOf(other)])).toEqual([
      'return "lamp"',
      'return "torch"',
      'return 1',
    ])
  })

  test('that is delivered again changes nothing, also by concurrent deliveries', async () => {
    const { url, secret } = await on.connect()
    const commit = github.commit({ [FILE]: 'return "once"' })
    const delivery = github.deliver(url, secret, github.push([commit], undefined))
    const responses = await Promise.all(Array.from({ length: 8 }, () => on.send(delivery)))
    const messages = responses.map((response) => response.json<{ message: string }>().message)
    expect(messages.filter((message) => message === 'This push was received already.')).toHaveLength(7)
    expect(await on.finish()).toHaveLength(1)
  })

  test('that arrives after a newer one does not overwrite it', async () => {
    const { url, secret } = await on.connect()
    const torch = await makeScript(on.app.db, { author_id: on.authorId })
    await on.put({ script_id: torch, pattern: 'torch.luau' })
    const base = github.commit({ [FILE]: 'return 1', 'torch.luau': 'return 1' })
    const older = github.commit({ [FILE]: 'return "older"', 'torch.luau': 'return "torch"' })
    const newer = github.commit({ [FILE]: 'return "newer"', 'torch.luau': 'return "torch"' })
    // Both have the same second as their time, so only the commits tell the order.
    const late = github.deliver(url, secret, github.push([older], base.id))
    await on.send(github.deliver(url, secret, github.push([newer], older.id)))
    await on.finish()
    await on.send(late)
    const [second, first] = await on.finish()
    expect([first?.state, second?.state, second?.error]).toEqual([
      'published',
      'skipped',
      'A newer push was received before.',
    ])
    expect(await on.codeOf()).toBe('return "newer"')
    // The newer push did not change this one.
    await on.finish(torch)
    expect(await on.codeOf(torch)).toBe('return "torch"')
  })

  test('whose file arrives late does not overwrite a newer one', async () => {
    const { url, secret } = await on.connect()
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    github.answer = resolve
    const older = github.commit({ [FILE]: 'return "older"' })
    await on.send(github.deliver(url, secret, github.push([older], undefined)))
    const late = await promise
    github.answer = undefined
    const newer = github.commit({ [FILE]: 'return "newer"' })
    await on.send(github.deliver(url, secret, github.push([newer], older.id)))
    await on.finish()
    late.end('return "older"')
    await once(late, 'finish')
    await sleep(300)
    expect((await on.read()).syncs.map(({ state }) => state)).toEqual(['published', 'skipped'])
    expect(await on.codeOf()).toBe('return "newer"')
  })

  test('that is older by its time does not overwrite a newer one', async () => {
    const { url, secret } = await on.connect()
    const [oldest, older, newer] = [1, 2, 3].map((number) => github.commit({ [FILE]: `return "${number}"` }))
    const pushed = (secondsAgo: number) => ({
      repository: { id: 1001, full_name: 'owner/lamp', pushed_at: Math.floor(Date.now() / 1000) - secondsAgo },
    })
    const push = (commit: typeof oldest, before: string, secondsAgo: number) =>
      on.send(github.deliver(url, secret, github.push(commit ? [commit] : [], before, pushed(secondsAgo))))
    await push(newer, older?.id ?? '', 10)
    await on.finish()
    await push(oldest, 'e'.repeat(40), 30)
    await on.finish()
    expect(await on.codeOf()).toBe('return "3"')
  })

  test('that takes a commit back publishes the former code', async () => {
    const { url, secret } = await on.connect()
    const first = github.commit({ [FILE]: 'return "first"' })
    const second = github.commit({ [FILE]: 'return "second"' })
    await on.send(github.deliver(url, secret, github.push([first], undefined)))
    await on.finish()
    await on.send(github.deliver(url, secret, github.push([second], first.id)))
    await on.finish()
    await on.send(github.deliver(url, secret, github.push([], second.id, { after: first.id, forced: true })))
    await on.finish()
    expect(await on.codeOf()).toBe('return "first"')
  })

  test('of an author who is muted fails, of a banned one it is rejected', async () => {
    const { url, secret } = await on.connect()
    await on.app.pool.query("update members set muted_until = 'infinity' where id = $1", [on.authorId])
    const commit = github.commit({ [FILE]: 'return "muted"' })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    expect(await on.finish()).toMatchObject([{ state: 'failed', error: expect.stringContaining('You are muted') }])
    await on.app.pool.query("update members set muted_until = null, banned_until = 'infinity' where id = $1", [
      on.authorId,
    ])
    expect((await on.send(github.deliver(url, secret, github.push([commit], undefined)))).statusCode).toBe(404)
  })

  test('before a change of the connection is not published after it', async () => {
    const { url, secret } = await on.connect()
    github.answer = () => undefined
    const commit = github.commit({ [FILE]: 'return "former"' })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    await on.put({ pattern: 'src/other.luau' })
    expect(await on.finish()).toMatchObject([{ state: 'skipped', error: 'The connection was changed.' }])
    expect(await on.codeOf()).toBe('return 1')
  })
})

describe('a server with a repository', () => {
  test('that fails is asked again', async () => {
    const { url, secret } = await on.connect()
    github.answer = (response) => response.writeHead(503).end()
    const commit = github.commit({ [FILE]: 'return "late"' })
    await on.send(github.deliver(url, secret, github.push([commit], undefined)))
    await expect
      .poll(async () => (await on.read()).syncs[0]?.error, { timeout: 10_000 })
      .toBe('The server with the repository answered with status 503.')
    expect((await on.read()).syncs[0]?.state).toBe('waiting')
    github.answer = undefined
    expect(await on.finish()).toMatchObject([{ state: 'published', error: null }])
    expect(await on.codeOf()).toBe('return "late"')
  }, 40_000)

  test.each<[string, NonNullable<FakeForge['answer']>, string]>([
    [
      'redirects',
      (response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
      'The repository was moved.',
    ],
    [
      'rejects',
      (response) => response.writeHead(401).end(),
      'The branch was not found. The repository must be public.',
    ],
    ['does not have the file', (response) => response.writeHead(404).end(), 'The branch was not found.'],
    ['sends an unexpected response', (response) => response.end('<html>'), 'sent an unexpected response'],
  ])('that %s is explained', async (_, answer, sentence) => {
    await on.connect()
    github.answer = answer
    await on.syncNow()
    expect(await on.finish()).toMatchObject([{ state: 'failed', error: expect.stringContaining(sentence) }])
  })

  test('without a matching file is explained', async () => {
    await on.connect({ pattern: 'none/*.luau' })
    github.commit({ [FILE]: 'return 2' })
    await on.syncNow()
    expect(await on.finish()).toMatchObject([
      { state: 'failed', error: 'No file of the repository matches the pattern.' },
    ])
  })
})

test('the log is deleted after 30 days', async () => {
  const { url, secret } = await on.connect()
  const commit = github.commit({ [FILE]: 'return 2' })
  await on.send(github.deliver(url, secret, github.push([commit], undefined)))
  await on.finish()
  await on.app.pool.query("update repository_syncs set created_at = now() - interval '31 days'")
  await on.app.pool.query("update repository_deliveries set received_at = now() - interval '31 days'")
  await deleteDueData(on.app.db)
  expect((await on.read()).syncs).toEqual([])
  expect((await on.app.pool.query('select from repository_deliveries')).rowCount).toBe(0)
})
