import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeScript, signIn } from '#tests/support/factories.ts'
import { FILE, RepositorySite } from '#tests/support/repository-site.ts'

const on = new RepositorySite()
const { github, gitlab } = on
beforeAll(() => on.start())
afterAll(() => on.close())
beforeEach(() => on.reset())

describe('a connection', () => {
  test('shows its secret once, and is shared by the scripts of a repository', async () => {
    const { source, secret } = await on.connect()
    expect(secret).toMatch(/^[\w-]{32}$/)
    expect(source).toMatchObject({
      script_id: on.scriptId,
      branch: 'main',
      pattern: FILE,
      connection: { repository: 'owner/lamp', last_received_at: null, script_count: 1 },
    })
    expect(JSON.stringify(await on.read())).not.toContain(secret)
    const { rows } = await on.app.pool.query('select * from repository_connections where owner_id = $1', [on.authorId])
    expect(JSON.stringify(rows)).not.toContain(secret)

    const second = await makeScript(on.app.db, { author_id: on.authorId })
    const shared = (await on.put({ script_id: second, repository: 'Owner/Lamp', pattern: 'torch.luau' })).json<{
      source: { connection: { webhook_url: string } }
    }>()
    expect(shared).toMatchObject({ secret: null, source: { connection: { script_count: 2 } } })
    expect(shared.source.connection.webhook_url).toBe(source.connection.webhook_url)
    const { notifications } = (await on.app.app.inject({ url: '/api/user-notifications', headers: on.author })).json()
    expect(notifications).toHaveLength(2)
    expect(notifications[0]).toMatchObject({ title: 'Repository connected' })
  })

  test.each([
    ['an unknown server', { forge: 'https://git.example' }, 'forge'],
    ['an address', { repository: 'https://github.com/owner/lamp' }, 'repository'],
    ['a whole ref', { branch: 'refs/heads/main' }, 'branch'],
    ['a branch with two dots', { branch: 'a..b' }, 'branch'],
    ['a path outside of the repository', { pattern: '../lamp.luau' }, 'pattern'],
    ['a slow pattern', { pattern: '*a*a*b' }, 'pattern'],
    ['no file', { pattern: '' }, 'pattern'],
  ])('with %s is rejected', async (_, changes, field) => {
    const response = await on.put(changes)
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]])
  })

  test('requires a recent sign-in and the author', async () => {
    expect((await on.put({}, await signIn(on.app.db))).json().code).toBe('not_the_author')
    await on.app.pool.query("update sessions set created_at = now() - interval '1 hour' where member_id = $1", [
      on.authorId,
    ])
    expect((await on.put()).json().code).toBe('reauthentication_required')
  })

  test('ends with its last script, and its webhook with it', async () => {
    const { url, secret } = await on.connect()
    const removed = await on.app.app.inject({
      method: 'DELETE',
      url: `/api/repository-source?id=${on.scriptId}`,
      headers: on.author,
    })
    expect(removed.statusCode).toBe(200)
    expect(await on.read()).toMatchObject({ source: null, syncs: [] })
    const event = github.push([github.commit({ [FILE]: 'return 2' })], undefined)
    expect((await on.send(github.deliver(url, secret, event))).statusCode).toBe(404)
    const { rows } = await on.app.pool.query('select action from audit_log where actor_id = $1 order by id', [
      on.authorId,
    ])
    expect(rows.map(({ action }) => action)).toEqual(['connect_repository', 'disconnect_repository'])
  })

  test('gets a new secret, which replaces the former one', async () => {
    const { url, secret } = await on.connect()
    const payload = { script_id: on.scriptId }
    const response = await on.app.app.inject({
      method: 'POST',
      url: '/api/repository-secret',
      headers: on.author,
      payload,
    })
    const { secret: next } = response.json<{ secret: string }>()
    const event = { zen: 'Keep it logically awesome.' }
    const ping = { 'x-github-event': 'ping' }
    expect((await on.send(github.deliver(url, secret, event, ping))).json().code).toBe('signature_invalid')
    expect((await on.send(github.deliver(url, next, event, ping))).statusCode).toBe(202)
    expect((await on.read()).source?.connection.last_received_at).not.toBeNull()
  })
})

describe('a delivery is rejected', () => {
  test.each([
    ['another secret', 'wrong', {}],
    ['no signature', '', { 'x-hub-signature-256': '' }],
    ['a signature of the former kind', '', { 'x-hub-signature-256': '', 'x-hub-signature': 'sha1=00' }],
    ['a signature that is cut off', '', { 'x-hub-signature-256': 'sha256=' }],
  ])('with %s', async (_, wrong, headers) => {
    const { url, secret } = await on.connect()
    const event = github.push([github.commit({ [FILE]: 'return 2' })], undefined)
    const response = await on.send(github.deliver(url, wrong || secret, event, headers))
    expect([response.statusCode, response.json().code]).toEqual([401, 'signature_invalid'])
    expect((await on.read()).source?.connection.last_received_at).toBeNull()
    expect(github.requests).toEqual([])
  })

  test('with the body of another one', async () => {
    const { url, secret } = await on.connect()
    const { headers } = github.deliver(url, secret, github.push([github.commit({ [FILE]: 'return 2' })], undefined))
    const forged = {
      url,
      headers,
      payload: JSON.stringify(github.push([github.commit({ [FILE]: 'return 3' })], undefined)),
    }
    expect((await on.send(forged)).statusCode).toBe(401)
  })

  test('of GitLab with another token', async () => {
    const { url, secret } = await on.connect({ forge: gitlab.forge.url })
    const event = gitlab.push([gitlab.commit({ [FILE]: 'return 2' })], undefined)
    for (const token of ['', 'wrong', `${secret}x`, secret.slice(1)]) {
      expect((await on.send(gitlab.deliver(url, token, event))).statusCode).toBe(401)
    }
  })

  test('at an unknown URL, of another repository, or with another body', async () => {
    const { url, secret } = await on.connect()
    const event = github.push([github.commit({ [FILE]: 'return 2' })], undefined)
    const unknown = '/api/repository-hooks/00000000-0000-4000-8000-000000000000'
    expect((await on.send(github.deliver(unknown, secret, event))).statusCode).toBe(404)
    expect((await on.send(github.deliver('/api/repository-hooks/x', secret, event))).statusCode).toBe(404)
    const other = { ...event, repository: { id: 1001, full_name: 'owner/other', pushed_at: 1 } }
    expect((await on.send(github.deliver(url, secret, other))).json().code).toBe('repository_mismatch')
    for (const body of ['{', '[]', '{"ref":7}', '"x"', JSON.stringify({ ...event, after: '../../x' })]) {
      expect((await on.send(github.deliver(url, secret, body))).json().code).toBe('malformed_push')
    }
    const form = github.deliver(url, secret, event, { 'content-type': 'application/x-www-form-urlencoded' })
    expect((await on.send(form)).statusCode).toBe(415)
    const huge = github.deliver(url, secret, { ...event, x: 'x'.repeat(2_200_000) })
    expect((await on.send(huge)).statusCode).toBe(413)
    expect((await on.read()).syncs).toEqual([])
  })

  test('of a new repository with the same name', async () => {
    const { url, secret } = await on.connect()
    const event = github.push([github.commit({ [FILE]: 'return 2' })], undefined)
    expect((await on.send(github.deliver(url, secret, event))).statusCode).toBe(202)
    await on.finish()
    const replaced = { ...event, repository: { id: 6666, full_name: 'owner/lamp', pushed_at: 1 } }
    expect((await on.send(github.deliver(url, secret, replaced))).json().code).toBe('repository_mismatch')
  })
})
