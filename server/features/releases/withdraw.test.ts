import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Script, ScriptVersion } from '#contract/scripts.ts'
import type { Withdrawal } from '#contract/versions.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, signIn } from '#tests/support/factories.ts'
import {
  checkVersions,
  findInconsistencies,
  publish,
  sendChange,
  sendDelete,
  sendRestore,
  type SignedIn,
} from '#tests/support/scripts.ts'

const WEBHOOK = 'game:GetService("HttpService"):PostAsync("https://discord.com/api/webhooks/1/x", "hi")'
const DECLARED = { declared_capabilities: ['net.send', 'net.webhook'], declared_hosts: ['discord.com'] }

let site: TestApp
let memberId: number
let author: SignedIn
let moderator: SignedIn
let other: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  other = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
beforeEach(async () => {
  memberId = await makeMember(site.db)
  author = await signIn(site.db, memberId)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
let serial = 0
/** Code that no other test has. */
const makeCode = () => `return ${++serial}`

const send = (method: 'POST' | 'PUT', url: string, payload: object, headers: object = author) =>
  site.app.inject({ method, url, headers: { ...headers }, payload })
const withdraw = (id: number, number: number, fields: object = {}, by: object = author) =>
  send('POST', '/api/version-withdraw', { script_id: id, number, reason: 'It deletes saved games.', ...fields }, by)
const withdrawn = async (id: number, number: number, fields: object = {}, by: object = author): Promise<Withdrawal> => {
  const response = await withdraw(id, number, fields, by)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ withdrawal: Withdrawal }>().withdrawal
}
const codeOf = (response: { json: () => { code: string }; statusCode: number }) => [
  response.statusCode,
  response.json().code,
]
const raw = async (id: number, query = '') => {
  const { statusCode, body } = await site.app.inject(`/raw/x-${id}${query}`)
  return [statusCode, body] as const
}
const statusOf = async (id: number, query = '') => (await raw(id, query))[0]
const versionsOf = async (id: number, by: object = {}) =>
  (await site.app.inject({ url: `/api/script-versions?id=${id}`, headers: { ...by } })).json<{
    versions: ScriptVersion[]
  }>().versions
const statesOf = async (id: number) => (await versionsOf(id, author)).map(({ state }) => state).toReversed()
const scriptOf = async (id: number, by: object = {}) => {
  const response = await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers: { ...by } })
  return response.json<{ script: Script; code: string; error: string }>()
}
const change = async (id: number, body: object) => {
  const response = await sendChange(site, author, id, body)
  expect(response.statusCode, response.payload).toBe(200)
}
/** A public script with these versions. */
async function make(...codes: string[]): Promise<number> {
  const [first = makeCode(), ...later] = codes
  const id = await publish(site, author, { script_content: first, ...DECLARED })
  for (const script_content of later) await change(id, { script_content })
  return id
}
const entries = async (query = '') =>
  (await site.app.inject(`/api/v1/withdrawn${query}`)).json<{
    withdrawals: Withdrawal[]
    pagination: { next_cursor: string | null }
  }>()

describe('withdrawing the current version', () => {
  test('makes the former one current, and its own addresses say why', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await make(good, bad)
    expect(await withdrawn(id, 2, { reason: 'It says "hi"\\\n and deletes games.' })).toEqual({
      sha256: sha256(bad),
      slug: `a-script-${id}`,
      version: '1.0.1',
      withdrawn_at: expect.any(String),
      by: 'author',
      reason: 'It says "hi"\\ and deletes games.',
      is_malicious: false,
      reinstated_at: null,
    })
    expect(await raw(id)).toEqual([200, good])
    expect(await raw(id, '?version=1')).toEqual([200, good])
    for (const query of [`?sha256=${sha256(bad).toUpperCase()}`, '?version=2']) {
      const [status, body] = await raw(id, query)
      expect(status).toBe(410)
      const text = /^-- (Version 1\.0\.1 was withdrawn by its author on \w.+ UTC: It says "hi"\\ and deletes games\.)\n/
      expect(body).toMatch(text)
      expect(body.split('\n')[1]).toMatch(/^error\(".+UTC: It says \\"hi\\"\\\\ and deletes games\.", 0\)$/)
    }
    expect((await scriptOf(id)).script).toMatchObject({ version: '1.0.0', script_content: good, waiting: null })
    expect(await versionsOf(id)).toMatchObject([
      {
        number: 2,
        state: 'withdrawn',
        is_current: false,
        withdrawn: { by: 'author', reason: 'It says "hi"\\ and deletes games.', is_malicious: false },
      },
      { number: 1, state: 'current', is_current: true, withdrawn: null },
    ])
  })

  test('leaves its code to the staff only', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await make(good, bad)
    await withdrawn(id, 2)
    const read = (by: object) => site.app.inject({ url: `/api/script-version?id=${id}&number=2`, headers: { ...by } })
    for (const by of [{}, author]) expect(codeOf(await read(by))).toEqual([410, 'version_withdrawn'])
    expect((await read(moderator)).json()).toMatchObject({ version: { script_content: bad } })
  })

  test('of a private script has the same effect, and the former one is checked before it is public', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await make(good, bad)
    await change(id, { is_public: false })
    await withdrawn(id, 2)
    expect(await statusOf(id)).toBe(404)
    expect(await statusOf(id, `?sha256=${sha256(good)}`)).toBe(404)
    expect(await statusOf(id, `?sha256=${sha256(bad)}`)).toBe(410)
    expect((await scriptOf(id, author)).script).toMatchObject({ version: '1.0.0', is_public: false })
    await change(id, { is_public: true })
    expect(await raw(id)).toEqual([200, good])
  })

  test('keeps the version that waits, which is compared with former code, too', async () => {
    const id = await make(makeCode(), WEBHOOK)
    // Held: the current code has no webhook.
    expect(await statesOf(id)).toEqual(['current', 'held'])
    await send('POST', '/api/version-confirm', { script_id: id, number: 2 })
    await send('POST', '/api/version-release', { script_id: id, number: 2, reason: 'Fine' }, moderator)
    await change(id, { script_content: `${WEBHOOK} -- again` })
    expect(await statesOf(id)).toEqual(['former', 'former', 'current'])
    await withdrawn(id, 3)
    await withdrawn(id, 2)
    expect(await statesOf(id)).toEqual(['current', 'withdrawn', 'withdrawn'])
    await change(id, { script_content: `${WEBHOOK} -- and again` })
    expect(await statesOf(id)).toEqual(['current', 'withdrawn', 'withdrawn', 'held'])
    await withdrawn(id, 1)
    expect(await statesOf(id)).toEqual(['withdrawn', 'withdrawn', 'withdrawn', 'held'])
    expect(await statusOf(id)).toBe(410)
  })
})

describe('a former version that would start something', () => {
  /** Its first version has a webhook, which the second one, that is withdrawn, had not. */
  async function makeHeld() {
    const declared = `${WEBHOOK} -- ${makeCode()}`
    const id = await make(declared, makeCode())
    await withdrawn(id, 2)
    return { id, declared }
  }

  test('is held, while nothing but its pinned address has its code', async () => {
    const { id, declared } = await makeHeld()
    expect(await statesOf(id)).toEqual(['held', 'withdrawn'])
    expect(await statusOf(id)).toBe(410)
    expect(await raw(id, `?sha256=${sha256(declared)}`)).toEqual([200, declared])
    expect((await scriptOf(id)).code).toBe('version_withdrawn')
    expect((await scriptOf(id, author)).script.waiting).toMatchObject({
      number: 1,
      held: { reasons: [{ id: 'net.webhook', host: 'discord.com' }] },
    })
    const released = await send(
      'POST',
      '/api/version-release',
      { script_id: id, number: 1, reason: 'Declared' },
      moderator,
    )
    expect(released.statusCode, released.body).toBe(200)
    expect(await raw(id)).toEqual([200, declared])
    expect(await statesOf(id)).toEqual(['current', 'withdrawn'])
  })

  test('is a former one again when its author discards it or publishes other code', async () => {
    const { id, declared } = await makeHeld()
    const discarded = await send('POST', '/api/version-discard', { script_id: id, number: 1, was_me: true })
    expect(discarded.json()).toMatchObject({ state: 'former' })
    expect(await statesOf(id)).toEqual(['former', 'withdrawn'])
    expect([await statusOf(id), await statusOf(id, `?sha256=${sha256(declared)}`)]).toEqual([410, 200])
    const code = makeCode()
    await change(id, { script_content: code })
    expect(await raw(id)).toEqual([200, code])
    expect(await statesOf(id)).toEqual(['former', 'withdrawn', 'current'])
  })

  test('can be withdrawn while it is held', async () => {
    const { id, declared } = await makeHeld()
    await withdrawn(id, 1)
    expect(await statesOf(id)).toEqual(['withdrawn', 'withdrawn'])
    expect(await statusOf(id, `?sha256=${sha256(declared)}`)).toBe(410)
  })
})

describe('withdrawing the only version', () => {
  test('leaves a page that says so, until there is new code', async () => {
    const bad = makeCode()
    const id = await make(bad)
    await withdrawn(id, 1)
    const [status, body] = await raw(id)
    expect([status, body]).toEqual([410, expect.stringContaining('\nerror("Version 1.0.0 was withdrawn by its author')])
    expect(await scriptOf(id)).toMatchObject({
      code: 'version_withdrawn',
      error: expect.stringMatching(/: It deletes saved games\.$/),
    })
    expect((await scriptOf(id, author)).script).toMatchObject({
      is_public: false,
      is_public_setting: true,
      script_content: '',
      version: '1.0.0',
    })
    expect((await scriptOf(id, moderator)).script.script_content).toBe(bad)
    const good = makeCode()
    await change(id, { script_content: good })
    expect(await raw(id)).toEqual([200, good])
    expect(await statesOf(id)).toEqual(['withdrawn', 'current'])
  })

  test('answers its download with 410, for the author as well', async () => {
    const id = await make(makeCode())
    await withdrawn(id, 1)
    for (const url of [`/api/script-download?id=${id}`, `/api/v1/scripts/x-${id}/code`]) {
      for (const headers of url.includes('v1') ? [{}] : [{}, author]) {
        const response = await site.app.inject({ url, headers })
        expect([url, response.statusCode, response.headers['content-type']]).toEqual(
          expect.arrayContaining([410, 'text/plain; charset=utf-8']),
        )
        expect(response.body).toMatch(/^-- Version .+\nerror\("Version .+", 0\)\n$/)
      }
    }
  })

  test('is not undone by a change of its visibility or number', async () => {
    const id = await make(makeCode())
    await withdrawn(id, 1)
    await change(id, { is_public: false })
    expect(await statusOf(id)).toBe(404)
    await change(id, { is_public: true, title: 'Other title' })
    expect(await statusOf(id)).toBe(410)
    expect(codeOf(await sendChange(site, author, id, { version: '2.0.0' }))).toEqual([409, 'withdrawn_code'])
    expect((await scriptOf(id, author)).script).toMatchObject({ is_public: false, version: '1.0.0' })
  })
})

test('withdrawing a former version leaves the current one', async () => {
  const [bad, good] = [makeCode(), makeCode()]
  const id = await make(bad, good)
  await withdrawn(id, 1)
  expect(await raw(id)).toEqual([200, good])
  expect(await statesOf(id)).toEqual(['withdrawn', 'current'])
  expect(await statusOf(id, '?version=1')).toBe(410)
})

test('all versions with the code are withdrawn', async () => {
  const [bad, good] = [makeCode(), makeCode()]
  const id = await make(bad, good)
  await sendRestore(site, author, { script_id: id, number: 1 })
  expect(await statesOf(id)).toEqual(['former', 'former', 'current'])
  await withdrawn(id, 3)
  expect(await statesOf(id)).toEqual(['withdrawn', 'current', 'withdrawn'])
})

test('only what was public can be withdrawn', async () => {
  const isPrivate = await publish(site, author, { script_content: makeCode(), is_public: false })
  expect(codeOf(await withdraw(isPrivate, 1))).toEqual([409, 'version_not_withdrawable'])
  const id = await make(makeCode(), WEBHOOK)
  expect(await statesOf(id)).toEqual(['current', 'held'])
  expect(codeOf(await withdraw(id, 2))).toEqual([409, 'version_not_withdrawable'])
  await send('POST', '/api/version-discard', { script_id: id, number: 2, was_me: true })
  expect(codeOf(await withdraw(id, 2))).toEqual([409, 'version_not_withdrawable'])
  expect(codeOf(await withdraw(id, 9))).toEqual([404, 'not_found'])
  expect(codeOf(await withdraw(1_000_000, 1))).toEqual([404, 'script_not_found'])
  expect(codeOf(await withdraw(id, 1, { reason: '  ' }))).toEqual([400, 'invalid'])
  expect(codeOf(await withdraw(id, 1, { is_malicious: true }))).toEqual([400, 'invalid'])
  expect(codeOf(await withdraw(id, 1, {}, await signIn(site.db)))).toEqual([403, 'not_the_author'])
  const token = await makeApiToken(site.db, memberId)
  expect(codeOf(await withdraw(id, 1, {}, { authorization: token.authorization }))).toEqual([403, 'token_not_allowed'])
  expect(await statesOf(id)).toEqual(['current', 'discarded'])
})

test('two withdrawals at once are one', async () => {
  const id = await make(makeCode(), makeCode())
  const responses = await Promise.all(['One', 'Two', 'Three'].map((reason) => withdraw(id, 2, { reason })))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  const reasons = responses.map((response) => response.json<{ withdrawal: Withdrawal }>().withdrawal.reason)
  expect(new Set(reasons).size).toBe(1)
  const { rows } = await site.pool.query('select reason from withdrawals where script_id = $1', [id])
  expect(rows).toEqual([{ reason: reasons[0] }])
})

test('withdrawals of two versions at once leave none of them', async () => {
  const codes = [makeCode(), makeCode(), makeCode()]
  const id = await make(...codes)
  const responses = await Promise.all([withdraw(id, 3), withdraw(id, 2)])
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(await raw(id)).toEqual([200, codes[0]])
})

describe('withdrawn code', () => {
  test('cannot be restored or published again', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await make(good, bad)
    await withdrawn(id, 2)
    expect(codeOf(await sendRestore(site, author, { script_id: id, number: 2 }))).toEqual([409, 'withdrawn_code'])
    expect(codeOf(await sendChange(site, author, id, { script_content: bad }))).toEqual([409, 'withdrawn_code'])
    const token = await makeApiToken(site.db, memberId)
    const put = await send(
      'PUT',
      `/api/v1/scripts/x-${id}/versions`,
      { script_content: bad },
      {
        authorization: token.authorization,
      },
    )
    expect(codeOf(put)).toEqual([409, 'withdrawn_code'])
    expect(await raw(id)).toEqual([200, good])
  })

  test('that is current cannot be pushed again', async () => {
    const bad = makeCode()
    const id = await make(bad)
    await withdrawn(id, 1)
    const token = await makeApiToken(site.db, memberId)
    const put = await send(
      'PUT',
      `/api/v1/scripts/x-${id}/versions`,
      { script_content: bad },
      {
        authorization: token.authorization,
      },
    )
    expect(codeOf(put)).toEqual([409, 'withdrawn_code'])
  })

  test('that a version waits with is discarded', async () => {
    const id = await make(WEBHOOK, makeCode())
    await sendRestore(site, author, { script_id: id, number: 1 })
    expect(await statesOf(id)).toEqual(['former', 'current', 'held'])
    await withdrawn(id, 1)
    await checkVersions(site)
    expect(await statesOf(id)).toEqual(['withdrawn', 'current', 'discarded'])
  })

  test('of an author is only refused in their script, that of moderators everywhere', async () => {
    const bad = makeCode()
    const id = await make(bad)
    await withdrawn(id, 1)
    const elsewhere = await make(bad)
    expect(await raw(elsewhere)).toEqual([200, bad])
    await withdrawn(elsewhere, 1, { is_malicious: true }, moderator)
    const response = await send('POST', '/api/scripts', { title: 'A', description: 'B', script_content: bad })
    expect(codeOf(response)).toEqual([409, 'withdrawn_code'])
  })
})

describe('the successor', () => {
  test('is shown while everyone can see it', async () => {
    const id = await make(makeCode(), makeCode())
    const next = await publish(site, author, { title: 'Next one', script_content: makeCode() })
    await withdrawn(id, 2, { successor_slug: `next-one-${next}` })
    expect((await scriptOf(id)).script.successor).toEqual({ slug: `next-one-${next}`, title: 'Next one' })
    await change(next, { is_public: false })
    expect((await scriptOf(id)).script.successor).toBeNull()
    await change(next, { is_public: true })
    expect((await scriptOf(id)).script.successor).not.toBeNull()
    await withdrawn(id, 1)
    expect((await raw(id))[1]).toContain(` It is replaced by /scripts/next-one-${next}"`)
    await sendDelete(site, author, next)
    expect((await scriptOf(id, author)).script.successor).toBeNull()
    expect((await raw(id))[1]).not.toContain('replaced')
  })

  test('must be another public script', async () => {
    const id = await make(makeCode())
    const hidden = await publish(site, author, { is_public: false, script_content: makeCode() })
    for (const slug of [`x-${id}`, `x-${hidden}`, 'x-1000000', 'x', '']) {
      const response = await withdraw(id, 1, { successor_slug: slug })
      expect([slug, response.statusCode]).toEqual([slug, 400])
    }
    expect(await statesOf(id)).toEqual(['current'])
  })
})

describe('an address', () => {
  test('with a wrong hash or parameter never has other code', async () => {
    const [code, foreign, secret] = [makeCode(), makeCode(), makeCode()]
    const id = await make(code)
    await make(foreign)
    const hidden = await publish(site, author, { is_public: false, script_content: secret })
    expect(await statusOf(id, `?sha256=${sha256(foreign)}`)).toBe(404)
    expect(await statusOf(hidden, `?sha256=${sha256(secret)}`)).toBe(404)
    expect(await statusOf(hidden)).toBe(404)
    for (const hash of ['', 'abc', `${sha256(code)}0`, `${sha256(code).slice(1)}g`]) {
      expect([hash, await statusOf(id, `?sha256=${hash}`)]).toEqual([hash, 404])
    }
    expect(await raw(id, '?sha=1')).toEqual([400, '-- The request has an unknown parameter: sha.\n'])
  })

  test('of a removed script is 410, of one that never was 404', async () => {
    const code = makeCode()
    const id = await make(code)
    await sendDelete(site, author, id)
    const text = '-- This script was removed.\nerror("This script was removed.", 0)\n'
    for (const query of ['', `?sha256=${sha256(code)}`, '?version=1']) expect(await raw(id, query)).toEqual([410, text])
    const download = await site.app.inject(`/api/script-download?id=${id}`)
    expect([download.statusCode, download.body]).toEqual([410, text])
    expect((await scriptOf(id)).code).toBe('script_not_found')
    expect(await raw(1_000_000)).toEqual([404, '-- This script was not found.\n'])
  })
})

describe('moderators', () => {
  test('withdraw with an entry in the audit log, and an appeal reinstates the code', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await make(good, bad)
    const entry = await withdrawn(id, 2, { is_malicious: true, reason: 'It steals accounts.' }, moderator)
    expect(entry).toMatchObject({ by: 'moderators', is_malicious: true })
    const audit = await site.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('subject_id', '=', id)
      .where('subject_type', '=', 'script')
      .execute()
    expect(audit).toMatchObject([
      { action: 'withdraw_version', after: { number: 2, state: 'withdrawn', reason: 'It steals accounts.' } },
    ])
    const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: author })).json<{
      cases: { id: number; decision: string }[]
    }>()
    expect(cases).toMatchObject([{ decision: 'Version 1.0.1 was withdrawn: It steals accounts.' }])
    const case_id = cases[0]?.id ?? 0
    await send('POST', '/api/appeals', { case_id, text: 'It does not.' })
    const granted = await send('PUT', '/api/reports', { id: case_id, action: 'grant', decision: 'Right.' }, other)
    expect(granted.statusCode, granted.body).toBe(200)
    expect((await entries(`?sha256=${sha256(bad)}`)).withdrawals).toMatchObject([
      { version: '1.0.1', reinstated_at: expect.any(String) },
    ])
    expect(await raw(id, `?sha256=${sha256(bad)}`)).toEqual([200, bad])
    // What took its place in the meantime stays current.
    expect(await statesOf(id)).toEqual(['current', 'former'])
    await sendRestore(site, author, { script_id: id, number: 2 })
    expect(await raw(id)).toEqual([200, bad])
  })

  test('reinstate the only version as it was', async () => {
    const code = makeCode()
    const id = await make(code)
    await withdrawn(id, 1, {}, moderator)
    const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: author })).json<{
      cases: { id: number }[]
    }>()
    const case_id = cases[0]?.id ?? 0
    await send('POST', '/api/appeals', { case_id, text: 'Why?' })
    await send('PUT', '/api/reports', { id: case_id, action: 'grant', decision: 'Right.' }, other)
    expect(await raw(id)).toEqual([200, code])
    expect(await statesOf(id)).toEqual(['current'])
  })

  test('decide about what the author has withdrawn, but not the other way round', async () => {
    const id = await make(makeCode(), makeCode())
    await withdrawn(id, 2, { reason: 'A typo.' })
    const entry = await withdrawn(id, 2, { is_malicious: true, reason: 'It steals accounts.' }, moderator)
    expect(entry).toMatchObject({ by: 'moderators', is_malicious: true, reason: 'It steals accounts.' })
    expect(await withdrawn(id, 2, { reason: 'A typo.' })).toEqual(entry)
    const { rows } = await site.pool.query('select from withdrawals where script_id = $1', [id])
    expect(rows).toHaveLength(1)
  })

  test('do not see private scripts', async () => {
    const id = await make(makeCode())
    await change(id, { is_public: false })
    expect(codeOf(await withdraw(id, 1, {}, moderator))).toEqual([404, 'not_found'])
  })
})

describe('the list', () => {
  test('has the newest first, page by page, and one code by its hash', async () => {
    const codes = [makeCode(), makeCode(), makeCode()]
    const id = await make(...codes)
    for (const number of [1, 2, 3]) await withdrawn(id, number)
    const first = await entries('?limit=2')
    const second = await entries(`?limit=2&cursor=${first.pagination.next_cursor}`)
    const hashes = [...first.withdrawals, ...second.withdrawals].map((entry) => entry.sha256)
    expect(hashes.slice(0, 3)).toEqual(codes.toReversed().map(sha256))
    const found = await entries(`?sha256=${sha256(codes[1] ?? '').toUpperCase()}`)
    expect(found).toMatchObject({ withdrawals: [{ version: '1.0.1' }], pagination: { next_cursor: null } })
    expect((await entries(`?sha256=${'0'.repeat(64)}`)).withdrawals).toEqual([])
    for (const query of ['?sha256=abc', '?cursor=abc', '?limit=0', '?sha=1']) {
      expect([query, (await site.app.inject(`/api/v1/withdrawn${query}`)).statusCode]).toEqual([query, 400])
    }
  })

  test('keeps an entry when its script or its author is deleted', async () => {
    const code = makeCode()
    const id = await make(code)
    const entry = await withdrawn(id, 1)
    await site.db.deleteFrom('members').where('id', '=', memberId).execute()
    expect(await entries(`?sha256=${sha256(code)}`)).toMatchObject({ withdrawals: [entry] })
    expect((await raw(id, `?sha256=${sha256(code)}`))[1]).toContain('It deletes saved games.')
    expect(await statusOf(id)).toBe(410)
    await expect(site.db.deleteFrom('withdrawals').execute()).rejects.toThrow('append-only')
  })

  test('is a feed, too', async () => {
    const id = await make(makeCode())
    await site.app.inject('/feeds/withdrawn.json')
    await withdrawn(id, 1, { reason: 'It deletes <b>games</b>.' })
    const { items } = (await site.app.inject('/feeds/withdrawn.json')).json<{
      items: { title: string; content_html: string }[]
    }>()
    expect(items[0]).toMatchObject({
      title: `a-script-${id} 1.0.0`,
      content_html: expect.stringContaining('It deletes &lt;b&gt;games&lt;/b&gt;.'),
    })
    expect((await site.app.inject('/feeds/withdrawn.atom')).body).toContain(`a-script-${id} 1.0.0`)
  })
})
