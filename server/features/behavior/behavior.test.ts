import { CAPABILITIES as ANALYZED, UNREAD } from '@scriptyard/luau-behavior'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CAPABILITIES } from '#contract/behavior-names.ts'
import { type Behavior, behaviorOperations } from '#contract/behavior.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, sendRelease, sendRestore, type SignedIn } from '#tests/support/scripts.ts'
import { openSandboxes } from './analyze.ts'

const SOON = { timeout: 60_000, interval: 50 }

let site: TestApp
let member: SignedIn
let moderator: SignedIn
beforeAll(async () => {
  site = await createTestApp({}, { runsJobs: true, sandboxes: openSandboxes() })
  member = await signIn(site.db)
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
afterAll(() => site.close())

let serial = 0
const unique = (code: string) => `${code}\nreturn ${++serial}`
const read = (id: number, headers: object = {}) =>
  site.app.inject({ url: `/api/script-behavior?id=${id}`, headers: { ...headers } })
/** Visitors do not get a version that waits, so the author reads. */
const readBehavior = async (id: number, headers: object = member): Promise<Behavior> => {
  const response = await read(id, headers)
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<{ behavior: Behavior }>().behavior
}
const waitForCard = async (id: number, headers: object = member): Promise<Behavior> => {
  await expect.poll(async () => (await readBehavior(id, headers)).status, SOON).toBe('ready')
  return readBehavior(id, headers)
}
const release = async (id: number, number: number) => {
  const isHeld = async () => (await sendRelease(site, moderator, id, number)).statusCode === 200
  await expect.poll(isHeld, SOON).toBe(true)
}
const idsOf = ({ capabilities }: Behavior) => capabilities.map((finding) => finding.id)
const check = (headers: object, payload: object) =>
  site.app.inject({ method: 'POST', url: '/api/script-check', headers: { ...headers }, payload })

const DOWNLOAD = 'local text = game:HttpGet("https://example.com/hub.lua")'
const HUB = `${DOWNLOAD}\nloadstring(text)()`
const WEBHOOK = `request({ Url = "https://discord.com/api/webhooks/123456789012345678/${'a'.repeat(60)}", Method = "POST", Body = "x" })`

describe('the card of a script', () => {
  test('lists what the analyzer knows under the same ids', () => {
    expect(CAPABILITIES).toEqual(ANALYZED)
  })

  test('waits for the analysis and then has findings with lines', async () => {
    const id = await publish(site, member, { script_content: unique(HUB) })
    const response = await read(id, member)
    expect(Value.Check(behaviorOperations['GET /api/script-behavior'].response[200], response.json())).toBe(true)
    const card = await waitForCard(id)
    expect(card).toMatchObject({ version: '1.0.0', is_outdated: false, hosts: [{ host: 'example.com', line: 1 }] })
    expect(card.capabilities.find((finding) => finding.id === 'code.remote')).toMatchObject({
      certainty: 'code',
      declared: 'not_asked',
      evidence: [{ line: 2, end_line: 2, excerpt: 'loadstring(text)()' }],
      count: 1,
    })
    expect(Value.Check(behaviorOperations['GET /api/script-behavior'].response[200], { behavior: card })).toBe(true)
  })

  test('says which hosts the code contacts, and a search by host finds it by those alone', async () => {
    const id = await publish(site, member, {
      script_content: unique(
        `request({Url = "https://api.cards.example/x", Headers = {Origin = "https://named.example"}})`,
      ),
      declared_capabilities: [],
      declared_hosts: [],
    })
    const { hosts } = await waitForCard(id)
    expect(hosts).toEqual([
      { host: 'api.cards.example', line: 1, contacted: true, declared: 'undeclared', kind: null },
      { host: 'named.example', line: 1, contacted: false, declared: 'not_asked', kind: null },
    ])
    const find = async (host: string) => {
      const response = await site.app.inject({ url: `/api/scripts?host=${host}` })
      return response.json<{ scripts: { id: number }[] }>().scripts.map((script) => script.id)
    }
    await expect.poll(() => find('api.cards.example'), SOON).toEqual([id])
    expect(await find('cards.example')).toEqual([id])
    expect(await find('named.example')).toEqual([])
  })

  test('has no secret in its evidence', async () => {
    const id = await publish(site, member, { script_content: unique(WEBHOOK) })
    const card = await waitForCard(id)
    expect(idsOf(card)).toEqual(expect.arrayContaining(['net.send', 'net.webhook', 'shape.secret']))
    expect(JSON.stringify(card)).not.toContain('aaaaaaaa')
    const { rows } = await site.pool.query<{ card: object }>('select card from behavior_cards')
    expect(JSON.stringify(rows)).not.toContain('aaaaaaaa')
  })

  test('of a private script is visible to its author only', async () => {
    const id = await publish(site, member, { script_content: unique(HUB), is_public: false })
    expect(idsOf(await waitForCard(id, member))).toContain('code.remote')
    const stranger = await signIn(site.db)
    for (const headers of [{}, stranger]) {
      expect((await read(id, headers)).json()).toMatchObject({ code: 'script_not_found' })
      const changes = await site.app.inject({ url: `/api/script-behavior-changes?id=${id}`, headers })
      expect(changes.statusCode).toBe(404)
    }
  })
})

describe('a declaration', () => {
  test('shows for each finding whether the author declared it', async () => {
    const id = await publish(site, member, {
      script_content: unique(`${HUB}\nsetclipboard("x")`),
      declared_capabilities: ['net.get', 'fs.write', 'net.get'],
      declared_hosts: ['https://CDN.example.com/path', 'other.example'],
    })
    const card = await waitForCard(id)
    const declared = Object.fromEntries(card.capabilities.map((finding) => [finding.id, finding.declared]))
    expect(declared).toMatchObject({
      'net.get': 'declared',
      'code.remote': 'undeclared',
      'user.clipboard': 'not_asked',
    })
    expect(card.hosts).toMatchObject([{ host: 'example.com', declared: 'undeclared' }])
    expect(card.declared_not_found).toEqual(['fs.write'])
    const details = await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers: { ...member } })
    expect(details.json()).toMatchObject({
      script: { declared_capabilities: ['net.get', 'fs.write'], declared_hosts: ['cdn.example.com', 'other.example'] },
    })
  })

  test('changes without a new version, passes to the next version, and returns with a restored one', async () => {
    const id = await publish(site, member, { script_content: unique(HUB), declared_capabilities: [] })
    const remote = async () =>
      (await waitForCard(id)).capabilities.find((finding) => finding.id === 'code.remote')?.declared
    await expect.poll(remote, SOON).toBe('undeclared')
    await sendChange(site, member, id, { declared_capabilities: ['code.remote'], declared_hosts: ['example.com'] })
    await expect.poll(remote, SOON).toBe('declared')
    await sendChange(site, member, id, { script_content: unique(HUB), version: '2' })
    await expect.poll(remote, SOON).toBe('declared')
    await sendChange(site, member, id, { script_content: unique(HUB), version: '3', declared_capabilities: [] })
    await expect.poll(remote, SOON).toBe('undeclared')
    await sendRestore(site, member, { script_id: id, number: 2 })
    await expect.poll(remote, SOON).toBe('declared')
    expect((await readBehavior(id)).hosts).toMatchObject([{ host: 'example.com', declared: 'declared' }])
    const versions = await site.app.inject(`/api/script-versions?id=${id}`)
    expect(versions.json<{ versions: unknown[] }>().versions).toHaveLength(4)
  })

  test.each([
    ['an unknown id', 'declared_capabilities', ['net.everything']],
    ['a text that is no host', 'declared_hosts', ['not a host']],
    ['a control character', 'declared_hosts', ['a/b\u0000']],
    ['51 hosts', 'declared_hosts', Array.from({ length: 51 }, (_, i) => `host${i}.example`)],
  ])('is rejected with a sentence: %s', async (_name, field, value) => {
    const fields = { [field]: value }
    const id = await publish(site, member)
    for (const response of [
      await sendChange(site, member, id, fields),
      await check(member, { script_content: 'return 1', ...fields }),
    ]) {
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ fields: { [field]: expect.stringMatching(/^[A-Z].*\.$/) } })
    }
  })
})

describe('a check of a draft', () => {
  test('returns the card at once and stores nothing', async () => {
    const response = await check(member, {
      script_content: unique(HUB),
      declared_capabilities: ['net.get', 'net.socket'],
      declared_hosts: ['example.com'],
    })
    expect(response.statusCode, response.payload).toBe(200)
    const { behavior } = response.json<{ behavior: Behavior }>()
    expect(behavior).toMatchObject({ status: 'ready', version: '', declared_not_found: ['net.socket'] })
    expect(behavior.hosts).toMatchObject([{ host: 'example.com', declared: 'declared' }])
    expect(idsOf(behavior)).toEqual(['net.get', 'code.remote'])
    const { rows } = await site.pool.query('select 1 from behavior_cards where sha256 = $1', [behavior.sha256])
    expect(rows).toEqual([])
  })

  test.each(['/api/script-check', '/api/v1/check'])('of %s says whether the code compiles', async (url) => {
    const checked = async (script_content: string): Promise<Behavior> => {
      const response = await site.app.inject({
        method: 'POST',
        url,
        headers: { ...member },
        payload: { script_content },
      })
      expect(response.statusCode, response.payload).toBe(200)
      return response.json<{ behavior: Behavior }>().behavior
    }
    expect(await checked('type function F(t) return t end\nlocal a: F<number> = 1')).toMatchObject({
      compiles: true,
      compile_error: null,
      opaque: [],
    })
    const broken = await checked(`${WEBHOOK}\nlocal x = = 1`)
    expect(broken).toMatchObject({
      status: 'ready',
      compiles: false,
      compile_error: { line: 2, message: "Expected identifier when parsing expression, got '='" },
      opaque: [{ reason: UNREAD.syntax, count: 1 }],
    })
    expect(idsOf(broken)).toContain('net.webhook')
  })

  test('has no secret in the message of the compiler', async () => {
    const response = await check(member, { script_content: `x = ghp_${'a'.repeat(40)} 1` })
    expect(response.json<{ behavior: Behavior }>().behavior.compiles).toBe(false)
    expect(response.payload).not.toContain('a'.repeat(40))
  })

  test.each([
    ['additions', `x = 1${' + 1'.repeat(250_000)}`],
    ['fields', `x = {${'a=1,'.repeat(250_000)}}`],
    ['texts that grow', 'do local x = "a" while x do x = x .. x game:HttpGet(x) end end\n'.repeat(12_000)],
    ['nested calls', 'f('.repeat(500_000)],
  ])('of very long code says what it did not look into: %s', async (_, script_content) => {
    const { behavior } = (await check(member, { script_content })).json<{ behavior: Behavior }>()
    // A machine that is too busy to read it in time says so, too.
    expect(behavior.opaque).not.toEqual([])
  })

  test.each([{}, { script_content: '' }, { script_content: 'a\u0000' }, { script_content: 1 }, { other: 1 }])(
    'is rejected: %j',
    async (body) => {
      expect((await check(member, body)).statusCode).toBe(400)
    },
  )

  test('needs a member', async () => {
    expect((await check({}, { script_content: 'return 1' })).statusCode).toBe(401)
  })
})

describe('changes between versions', () => {
  test('name what each version starts and stops, newest first', async () => {
    const id = await publish(site, member, { script_content: unique('print("hello")') })
    const update = async (version: string, code: string, { isHeld = false } = {}) => {
      await sendChange(site, member, id, { version, script_content: unique(code) })
      if (isHeld) await release(id, Number(version))
      await waitForCard(id)
    }
    await waitForCard(id)
    await update('2', HUB, { isHeld: true })
    await update('3', `${HUB}\nprint("the same")`)
    await update('4', WEBHOOK, { isHeld: true })
    const response = await site.app.inject(`/api/script-behavior-changes?id=${id}`)
    expect(response.json()).toMatchObject({
      changes: [
        {
          number: 4,
          version: '4',
          starts: expect.arrayContaining(['net.send', 'net.webhook']),
          stops: ['net.get', 'code.remote'],
          hosts_added: ['discord.com'],
          hosts_removed: ['example.com'],
        },
        { number: 2, starts: ['net.get', 'code.remote'], stops: [], hosts_added: ['example.com'], hosts_removed: [] },
      ],
    })
    const { rows } = await site.pool.query('select version from script_versions where script_id = $1', [id])
    expect(rows).toHaveLength(4)
  })

  test('are none for the first version', async () => {
    const id = await publish(site, member, { script_content: unique(HUB) })
    await release(id, 1)
    await waitForCard(id)
    const response = await site.app.inject(`/api/script-behavior-changes?id=${id}`)
    expect(response.json()).toEqual({ changes: [] })
  })
})
