// What the command says about versions that visitors do not get at once.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { ACTION, CLI, makeFolder, removeFolders, runCommand, type RunOptions } from '#tests/support/cli.ts'
import { makeApiToken, makeMember, signIn } from '#tests/support/factories.ts'
import { checkVersions, sendConfirm } from '#tests/support/scripts.ts'

const REMOTE = 'loadstring(game:HttpGet("https://example.com/hub.lua"))()'
const WEBHOOK = `print("on")
request({ Url = "https://discord.com/api/webhooks/1/a", Method = "POST", Body = "hi" })`

let site: TestApp
let origin: string
let memberId: number
let token: string
let folder: string
let home: string

beforeAll(async () => {
  site = await createTestApp()
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await site.close()
  removeFolders()
})
beforeEach(async () => {
  memberId = await makeMember(site.db)
  token = await makeToken(['scripts:write'])
  folder = makeFolder()
  home = makeFolder()
  writeManifest()
  write('return 1')
})

async function makeToken(scopes: Parameters<typeof makeApiToken>[2]): Promise<string> {
  const { authorization } = await makeApiToken(site.db, memberId, scopes)
  return authorization.slice('Bearer '.length)
}

const write = (code: string) => writeFileSync(path.join(folder, 'lamp.luau'), code)
const writeManifest = (fields: object = {}) =>
  writeFileSync(
    path.join(folder, 'scriptyard.json'),
    JSON.stringify({ site: origin, file: 'lamp.luau', title: 'Lamp', description: 'A lamp.', ...fields }),
  )
const readManifest = () => JSON.parse(readFileSync(path.join(folder, 'scriptyard.json'), 'utf8')) as { slug: string }
const cli = (args: string[], { env = {}, ...options }: RunOptions = {}) =>
  runCommand(process.execPath, [CLI, ...args], {
    folder,
    home,
    env: { SCRIPTYARD_TOKEN: token, ...env },
    ...options,
  })
const publishJson = async (...args: string[]) => {
  const { code, out, err } = await cli(['publish', '--json', ...args])
  return { code, err, result: JSON.parse(out) as { message?: string; state?: string } }
}

/** Decides about versions while the command waits, as the jobs of a running site do. */
async function whileChecking<T>(run: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void checkVersions(site), 200)
  try {
    return await run()
  } finally {
    clearInterval(timer)
  }
}

describe('a later version', () => {
  beforeEach(async () => {
    const { code, err } = await cli(['publish'])
    if (code !== 0) throw new Error(err)
  })

  test('is published when the check is over', async () => {
    write('return 2')
    const { code, result, err } = await whileChecking(() => publishJson())
    expect([code, err]).toEqual([0, expect.stringContaining('Version 1.0.1 is sent. The site checks it...')])
    expect(result).toMatchObject({ status: 'added', state: 'current', version: { number: 2, state: 'current' } })
    expect(result).not.toHaveProperty('message')
  })

  test('that starts something is held: exit code 5, with the reason and what to do, as often as it is sent', async () => {
    write(WEBHOOK)
    const { code, out } = await whileChecking(() => cli(['publish']))
    const url = `${origin}/scripts/${readManifest().slug}`
    expect(code).toBe(5)
    expect(out.split('\n').slice(0, 2)).toEqual([
      `Version 1.0.1 is held: ${url}`,
      expect.stringMatching(/^ {2}Sends messages to a webhook \(net\.webhook\): discord\.com, line 2: .*request/),
    ])
    expect(out).toContain('Visitors get the version before it until then.')
    expect(out).toContain('A token cannot confirm it.')
    const again = await publishJson()
    expect([again.code, again.result]).toMatchObject([
      5,
      {
        status: 'unchanged',
        state: 'held',
        message: expect.stringContaining('1.0.1 is held'),
        version: { number: 2, held: { reasons: [{ id: 'net.webhook', host: 'discord.com', line: 2 }] } },
      },
    ])
    const shown = await cli(['status'])
    expect(shown.out).toContain('Version 1.0.1 waits until it is confirmed in the browser:')
  })

  test('that its author confirmed says when it becomes current', async () => {
    write(WEBHOOK)
    await whileChecking(() => cli(['publish']))
    const id = Number(/\d+$/.exec(readManifest().slug)?.[0])
    const confirmed = await sendConfirm(site, await signIn(site.db, memberId), id, 2)
    expect(confirmed.statusCode, confirmed.payload).toBe(200)
    const { current_at } = confirmed.json<{ current_at: string }>()
    expect(await cli(['publish'])).toMatchObject({
      code: 5,
      out: expect.stringContaining(`You confirmed it. It becomes current on ${current_at}.`),
    })
  })

  test('that is discarded during the wait is an error', async () => {
    write('return 3')
    const sent = publishJson()
    await expect
      .poll(
        async () => {
          const { rows } = await sql`update script_versions v set state = 'discarded' from scripts s
          where s.id = v.script_id and s.author_id = ${memberId} and v.state = 'checking' returning v.number`.execute(
            site.db,
          )
          return rows.length
        },
        { timeout: 20_000, interval: 20 },
      )
      .toBe(1)
    const { code, result } = await sent
    expect([code, result.message]).toEqual([1, expect.stringContaining('Version 1.0.1 was discarded')])
  })

  test('of a token that can only publish versions is waited for', async () => {
    token = await makeToken(['versions:write'])
    write(WEBHOOK)
    const { code, result } = await whileChecking(() => publishJson())
    expect([code, result.state]).toEqual([5, 'held'])
  })

  test('is not waited for after the given time, or not at all', async () => {
    write('return 4')
    const waited = await publishJson('--wait', '1')
    expect([waited.code, waited.result]).toMatchObject([
      4,
      { status: 'added', state: 'checking', message: expect.stringContaining('Run scriptyard publish again') },
    ])
    expect(await publishJson('--wait', '0')).toMatchObject({ code: 0, result: { state: 'checking' } })
    for (const wait of ['soon', '-1', '3601']) expect((await cli(['publish', `--wait=${wait}`])).code).toBe(2)
    expect(await whileChecking(() => publishJson())).toMatchObject({ code: 0, result: { state: 'current' } })
  })

  test('is on the site, too, if the wait is interrupted', async () => {
    write('return 5')
    const { code, err } = await cli(['publish'], { interruptOn: 'The site checks it' })
    expect([code, err]).toEqual([130, expect.stringContaining('the site goes on checking version 1.0.1')])
    expect(await whileChecking(() => publishJson())).toMatchObject({ code: 0, result: { status: 'unchanged' } })
  })

  test('with withdrawn code is rejected with the address that says why', async () => {
    await sql`insert into withdrawals (script_id, slug, version, sha256, withdrawn_as, reason)
      select s.id, 'lamp', '0.9.0', encode(sha256('return 6'), 'hex'), 'author', 'It deletes games.'
      from scripts s where s.author_id = ${memberId}`.execute(site.db)
    write('return 6')
    const { code, err } = await cli(['publish'])
    expect([code, err]).toEqual([1, expect.stringMatching(/withdrawn.+\/api\/v1\/withdrawn\?sha256=[0-9a-f]{64}\n$/)])
  })

  test('in a build ends it with a warning and the outputs', async () => {
    write(WEBHOOK)
    const output = path.join(folder, 'output')
    const summary = path.join(folder, 'summary')
    const env = {
      CI: 'true',
      SCRIPTYARD_CLI: `${process.execPath} ${CLI}`,
      SCRIPTYARD_TOKEN: token,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    }
    const { code, out } = await whileChecking(() => runCommand('bash', [ACTION], { folder, home, env }))
    expect(code).toBe(5)
    expect(readFileSync(output, 'utf8')).toMatch(/^status=added\nstate=held\nurl=http/)
    expect(out.trim().split('\n').at(-1)).toMatch(
      /^::warning title=A version is held::Version 1\.0\.1 is held: .+%0A {2}Sends messages/,
    )
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^## A version is held\n\n```\nVersion 1\.0\.1 is held: .+\n {2}Sends/,
    )
  })
})

describe('a first version', () => {
  test('that does something undeclared is held until it is declared in the manifest', async () => {
    write(REMOTE)
    const { code, out } = await cli(['publish'])
    expect(code).toBe(5)
    expect(out).toContain('Runs downloaded code (code.remote)')
    expect(out).toContain('Nothing of the script is public until you declare this')
    expect(out).toContain('"declared_capabilities": ["code.remote"]')
    const { slug } = readManifest()
    writeManifest({ slug, declared_capabilities: ['code.remote', 'net.get'] })
    const declared = await publishJson()
    expect([declared.code, declared.result], declared.err).toMatchObject([
      0,
      { status: 'unchanged', state: 'current', version: { number: 1 } },
    ])
    expect((await site.app.inject(`/raw/${slug}`)).payload).toBe(REMOTE)
  })

  test('that is private is published without a check', async () => {
    writeManifest({ is_public: false })
    write(REMOTE)
    expect(await publishJson()).toMatchObject({ code: 0, result: { status: 'created', state: 'current' } })
  })
})

const toHold = (id: string) => ({ reasons: [{ id, host: null, line: 3, detail: null }], current_at: null })

describe('another site', () => {
  let server: Server
  /** The answers to PUT and GET of the version, the last one for all that follow. */
  let answers: { status: number; state?: string; reason?: string }[]
  beforeEach(async () => {
    server = createServer((request, response) => {
      const isVersion = request.url?.includes('/versions') ?? false
      const next = isVersion && answers.length > 1 ? answers.shift() : answers[0]
      const { status, state, reason } = next ?? { status: 500 }
      const version = { number: 2, version: '1.0.1', ...(state && { state, held: reason ? toHold(reason) : null }) }
      const missing = { code: request.method === 'PATCH' ? 'insufficient_scope' : 'script_not_found' }
      response.writeHead(isVersion ? status : 404, { 'content-type': 'application/json' })
      const body =
        isVersion && status < 300
          ? { script: { id: 7, slug: 'lamp-7' }, version }
          : isVersion && status === 502
            ? {}
            : missing
      request.resume().on('end', () => response.end(JSON.stringify(body)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    writeManifest({ site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, slug: 'lamp-7' })
    token = await makeToken(['versions:write'])
  })
  afterEach(() => server.close())

  test('without states publishes at once', async () => {
    answers = [{ status: 201 }]
    const { code, result } = await publishJson()
    expect([code, result]).toMatchObject([0, { status: 'added', version: { number: 2 } }])
    expect(result).not.toHaveProperty('state')
  })

  test('that fails for a moment is asked again', async () => {
    answers = [{ status: 201, state: 'checking' }, { status: 502 }, { status: 200, state: 'current' }]
    expect(await publishJson()).toMatchObject({ code: 0, result: { state: 'current' } })
  })

  test('that does not show the version leaves the result open', async () => {
    answers = [{ status: 201, state: 'checking' }, { status: 404 }]
    expect(await publishJson()).toMatchObject({ code: 4, result: { state: 'checking' } })
  })

  test('with a reason that the command does not know shows its name', async () => {
    answers = [{ status: 202, state: 'held', reason: 'net.carrier_pigeon' }]
    const { code, result } = await publishJson()
    expect([code, result.message?.split('\n')[1]]).toEqual([5, '  net.carrier_pigeon: line 3'])
  })
})
