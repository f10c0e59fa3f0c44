// Every limit on what a client may do in a time: none is renewed by deleting the account and signing in again, nor by another
// spelling of what it counts. A limit that is missing here fails the test.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS, type LimitName } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/http/rate-limits.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { PER_ADDRESS, PER_MEMBER, PER_TOKEN } from '#server/rate-limits.ts'
import { makeMember, makeScript } from '#tests/support/factories.ts'
import { Person } from '#tests/support/person.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

/** Codes of errors with status 429, each with the limits that cause it. */
const CODES: Record<string, readonly (LimitName | 'uploads' | 'reputation' | 'requests' | 'share')[]> = {
  slow_mode: ['slow_mode'],
  too_many_comments: ['comments'],
  too_many_confirmations: ['confirmations', 'confirmation_pause', 'confirmations_to_address'],
  too_many_reports: ['reports'],
  upload_quota: ['uploads'],
  daily_limit: ['reputation'],
  too_many_requests: ['requests'],
  // Shares of work in progress end with it. They do not count over a time.
  too_many_images: ['share'],
  too_many_checks: ['share'],
}

let site: SignInSite
let limited: SignInSite
beforeAll(async () => {
  const from = { name: 'Site', address: 'site@example.com' }
  const email = { smtpUrl: 'smtp://127.0.0.1:9', from, bounceAddress: from.address }
  ;[site, limited] = await Promise.all([
    createSignInSite({ email, uploadBytesPerDay: 1000 }),
    createSignInSite({ rateLimit: true }),
  ])
})
afterAll(() => Promise.all([site.close(), limited.close()]))

/** Repeats a call until it is rejected. Returns the code. */
async function exhaust(call: () => Promise<{ status: number; body: Record<string, unknown> }>): Promise<unknown> {
  for (let i = 0; i < 100; i++) {
    const { status, body } = await call()
    if (status === 429) return body['code']
    expect(status, JSON.stringify(body)).toBeLessThan(300)
  }
  throw new Error('There is no limit.')
}

const skipPause = () => sql`delete from limit_uses where name = 'confirmation_pause'`.execute(site.db)
const askFor = (person: Person, address: string) => person.ask('PUT /api/email-address', { address })
let serial = 0
const newAddress = () => `address${++serial}@example.com`

/** Each limit with what a person does once; it is repeated until it is rejected. */
const LIMITED: Record<
  LimitName | 'uploads' | 'reputation',
  (person: Person, script: number) => ReturnType<Person['ask']>
> = {
  comments: async (person) => person.ask(`POST /api/script-comments?id=${await makeScript(site.db)}`, { text: 'Hi' }),
  slow_mode: async (person, script) => {
    await sql`insert into comment_settings (script_id, slow_seconds) values (${script}, 300)
        on conflict do nothing`.execute(site.db)
    const answer = await person.ask(`POST /api/script-comments?id=${script}`, { text: 'Hi' })
    const { id } = (answer.body['comment'] ?? {}) as { id?: number }
    if (id !== undefined) await person.ask(`DELETE /api/script-comment?id=${id}`)
    return answer
  },
  confirmations: async (person) => {
    await skipPause()
    return askFor(person, newAddress())
  },
  confirmation_pause: (person) => askFor(person, newAddress()),
  confirmations_to_address: async (person, script) => {
    await skipPause()
    return askFor(person, `victim${script}@example.com`)
  },
  reports: async (person) => person.report(await makeScript(site.db)),
  uploads: (person) =>
    person.ask('POST /api/scripts', { title: 'A', description: 'B', script_content: `--${'x'.repeat(300)}` }),
  reputation: async (person) => person.give(await makeMember(site.db)),
}

describe('a limit on what a person does', () => {
  test.each(Object.keys(LIMITED) as (keyof typeof LIMITED)[])('is not renewed by a new account: %s', async (name) => {
    const person = await new Person(site, 'new').signIn()
    const script = await makeScript(site.db)
    const call = () => LIMITED[name](person, script)
    const code = await exhaust(call)
    expect(CODES[String(code)]).toContain(name)
    await deleteDueData(site.db)
    await person.returnWithNewAccount()
    await deleteDueData(site.db)
    expect((await call()).body).toMatchObject({ code })
  })

  test('ends with its time, also for a new account', async () => {
    const person = await new Person(site, 'new').signIn()
    const call = () => LIMITED.comments(person, 0)
    await exhaust(call)
    await person.returnWithNewAccount()
    await sql`update limit_uses set uses = array(select used_at - interval '61 minutes'
      from unnest(uses) used_at)`.execute(site.db)
    expect((await call()).status).toBe(201)
  })

  test('does not count for another person', async () => {
    const call = LIMITED.comments
    const first = await new Person(site, 'new').signIn()
    await exhaust(() => call(first, 0))
    expect((await call(await new Person(site, 'new').signIn(), 0)).status).toBe(201)
  })
})

/** Requests of each kind. Pushes and exchanged ID tokens count for the owner of a repository, found in the same way. */
const REQUESTS: Partial<Record<keyof typeof PER_MEMBER, string>> = {
  write: 'DELETE /api/favorites?script_id=1',
  comment: 'POST /api/script-comments?id=1',
  portal: 'POST /api/admin-keys',
  upload: 'POST /api/scripts',
  export: 'GET /api/account-data',
  draft: 'PUT /api/draft',
  check: 'POST /api/script-check',
  webhook: 'POST /api/webhook-deliveries',
  sync: 'POST /api/repository-sync',
}

test('a limit on the requests of a member is not renewed by a new account', async () => {
  expect(new Set([...Object.keys(REQUESTS), 'exchange', 'push'])).toEqual(new Set(Object.keys(PER_MEMBER)))
  const person = await new Person(limited, 'new').signIn()
  const calls = Object.entries(REQUESTS)
  const send = (call: string) => person.ask(call, call.startsWith('GET') ? undefined : {})
  for (const [kind, call] of calls) {
    await send(call)
    // One is left for deleting the account.
    const used = (PER_MEMBER[kind as keyof typeof PER_MEMBER]?.calls ?? 0) - Number(kind === 'write')
    const counted = await sql`update rate_limits set points = ${used} where key = 'member ' || ${kind} || ':'
      || (select id from persons where member_id = ${person.id})`.execute(limited.db)
    expect([kind, Number(counted.numAffectedRows)]).toEqual([kind, 1])
  }
  await person.returnWithNewAccount()
  for (const [kind, call] of calls) {
    const { status, body } = await send(call)
    expect([kind, status, body['code']]).toEqual([kind, 429, 'too_many_requests'])
  }
})

describe('another spelling renews no limit', () => {
  test('of an email address', async () => {
    const spellings = [
      'victim.one@example.org',
      'VICTIM.ONE@EXAMPLE.ORG',
      'victimone+1@example.org',
      'v.i.c.t.i.m.o.n.e@Example.org',
      'Victim_One+shop@example.org',
      'victim-one@example.org',
    ]
    const answers = []
    for (const address of spellings) answers.push(await askFor(await new Person(site, 'new').signIn(), address))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429, 429, 429])
    const { rows } = await sql<{ key: string }>`select key from limit_uses
      where name = 'confirmations_to_address'`.execute(site.db)
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('victim')
  })

  test('of a network', () => {
    const spellings = [
      '203.0.113.9',
      '203.0.113.9:80',
      '::ffff:203.0.113.9',
      '::FFFF:CB00:7109',
      '[::ffff:203.0.113.9]:1',
    ]
    expect(new Set(spellings.map(networkOf)).size).toBe(1)
    expect(networkOf('2001:DB8:0:1::1')).toBe(networkOf('2001:db8:0000:1:ffff::'))
  })
})

describe('the list of limits', () => {
  test('has every error with status 429', () => {
    const files = globSync('server/**/*.ts', { cwd: path.resolve(import.meta.dirname, '..') })
    const codes = files
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8').matchAll(
          /AppError\(\s*'(\w+)',\s*429\b/g,
        ),
      ])
      .map(([, code = '']) => code)
    expect(new Set(codes)).toEqual(new Set(Object.keys(CODES)))
  })

  test('says of every limit which error it causes', () => {
    const named = new Set<string>(Object.values(CODES).flat())
    expect([...Object.keys(LIMITS), 'uploads', 'reputation'].filter((name) => !named.has(name))).toEqual([])
  })

  test('of requests by API tokens and addresses has a limit of the member or the network behind each', () => {
    // A member may create another token, which counts on its own.
    for (const kind of Object.keys(PER_TOKEN) as (keyof typeof PER_TOKEN)[]) {
      expect(PER_MEMBER[kind] ?? PER_ADDRESS[kind], kind).toBeDefined()
    }
    for (const kind of Object.keys(PER_MEMBER)) expect(PER_ADDRESS).toHaveProperty(kind)
  })
})
