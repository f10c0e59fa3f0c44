import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crc32 } from 'node:zlib'
import { MAX_TOKENS, TOKEN_SCOPES } from '#contract/limits.ts'
import type { ApiToken } from '#contract/tokens.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { sendChange, sendRestore } from '#tests/support/scripts.ts'
import { codeOf } from '#tests/support/withdrawals.ts'
import { makeToken, readApiToken } from './secret.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const NEW = { name: 'deploy', scopes: ['scripts:write'], expires_in_days: 90 }

const create = async (memberId: number, payload: object = NEW) =>
  site.app.inject({ method: 'POST', url: '/api/tokens', headers: await signIn(site.db, memberId), payload })

const list = async (memberId: number) => {
  const response = await site.app.inject({ url: '/api/tokens', headers: await signIn(site.db, memberId) })
  return response.json<{ tokens: ApiToken[] }>().tokens
}

const readInfo = (headers: object, on = site) => on.app.inject({ url: '/api/token', headers: { ...headers } })

describe('a new token', () => {
  test('is shown once, listed without its secret and stored as a hash', async () => {
    const memberId = await makeMember(site.db)
    const response = await create(memberId)
    expect(response.statusCode).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const { token, info } = response.json<{ token: string; info: ApiToken }>()
    expect(info).toMatchObject({ name: 'deploy', scopes: ['scripts:write'], hint: token.slice(-4), last_used_at: null })
    expect(Date.parse(info.expires_at) - Date.parse(info.created_at)).toBe(90 * 86_400_000)
    expect(await list(memberId)).toEqual([info])
    const { rows } = await site.pool.query('select * from api_tokens where id = $1', [info.id])
    expect(JSON.stringify(rows)).not.toContain(token.slice(3, -4))
    expect(rows[0].token_hash).toHaveLength(32)
  })

  test('has a prefix, 178 random bits and a checksum, by which scanners recognize it', () => {
    const tokens = Array.from({ length: 200 }, makeToken)
    expect(new Set(tokens).size).toBe(200)
    for (const token of tokens) {
      expect(token).toMatch(/^sy_[0-9A-Za-z]{36}$/)
      const digits = Array.from(token.slice(-6)).map((character) =>
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(character),
      )
      expect(digits.reduce((sum, digit) => sum * 62 + digit, 0)).toBe(crc32(token.slice(0, -6)))
    }
  })

  test('is announced to its member and recorded in the audit log, without its name', async () => {
    const memberId = await makeMember(site.db)
    const { info } = (await create(memberId)).json<{ info: ApiToken }>()
    const headers = await signIn(site.db, memberId)
    await site.app.inject({ method: 'DELETE', url: '/api/tokens', query: { id: info.id }, headers })
    const { notifications } = (await site.app.inject({ url: '/api/user-notifications', headers })).json()
    expect(notifications).toMatchObject([{ title: 'New API token', link: '/profile/settings?tab=tokens' }])
    const { rows } = await site.pool.query(
      'select action, subject_id, before, after from audit_log where actor_id = $1 order by id',
      [memberId],
    )
    const change = { id: info.id, scopes: 'scripts:write', expires_at: info.expires_at }
    expect(rows).toEqual([
      { action: 'create_api_token', subject_id: memberId, before: null, after: change },
      { action: 'revoke_api_token', subject_id: memberId, before: change, after: null },
    ])
  })

  test.each([
    ['a blank name', { ...NEW, name: ' ' }, 'name'],
    ['a long name', { ...NEW, name: 'x'.repeat(61) }, 'name'],
    ['no scope', { ...NEW, scopes: [] }, 'scopes'],
    ['an unknown scope', { ...NEW, scopes: ['admin'] }, 'scopes'],
    ['no end', { ...NEW, expires_in_days: null }, 'expires_in_days'],
    ['a lifetime that is not offered', { ...NEW, expires_in_days: 5000 }, 'expires_in_days'],
    ['a year for a scope that writes', { ...NEW, expires_in_days: 365 }, 'expires_in_days'],
    [
      'a year for several scopes',
      { ...NEW, scopes: ['favorites:read', 'ratings:write'], expires_in_days: 365 },
      'expires_in_days',
    ],
    ['no scripts', { ...NEW, script_ids: [] }, 'script_ids'],
    ['a script of nobody', { ...NEW, script_ids: [2_000_000_000] }, 'script_ids'],
    ['scripts that it could not change', { ...NEW, scopes: ['ratings:write'], script_ids: [1] }, 'script_ids'],
  ])('is rejected with %s', async (_, payload, field) => {
    const response = await create(await makeMember(site.db), payload)
    expect(response.statusCode).toBe(400)
    expect(Object.keys(response.json().fields)).toEqual([field])
  })

  test('lives 30 days by default, and a year if it only reads', async () => {
    const memberId = await makeMember(site.db)
    const reading = TOKEN_SCOPES.filter((scope) => scope.includes(':read'))
    const lifetimeOf = async (payload: object) => {
      const { info } = (await create(memberId, payload)).json<{ info: ApiToken }>()
      return (Date.parse(info.expires_at) - Date.parse(info.created_at)) / 86_400_000
    }
    expect(await lifetimeOf({ name: 'short', scopes: ['scripts:write'] })).toBe(30)
    expect(await lifetimeOf({ name: 'long', scopes: reading, expires_in_days: 365 })).toBe(365)
  })

  test('keeps its date if it was created with a longer one', async () => {
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId, ['scripts:write'])
    await site.pool.query("update api_tokens set expires_at = created_at + interval '365 days' where id = $1", [
      token.id,
    ])
    const [info] = await list(memberId)
    expect(Date.parse(info?.expires_at ?? '') - Date.parse(info?.created_at ?? '')).toBe(365 * 86_400_000)
    expect((await readInfo(token)).statusCode).toBe(200)
  })

  test('is only for scripts of its member', async () => {
    const [memberId, otherId] = [await makeMember(site.db), await makeMember(site.db)]
    const own = await makeScript(site.db, { author_id: memberId })
    const other = await makeScript(site.db, { author_id: otherId })
    const response = await create(memberId, { ...NEW, script_ids: [own, other] })
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      { script_ids: 'Choose only scripts of your own.' },
    ])
  })

  test('requires a recent sign-in', async () => {
    const memberId = await makeMember(site.db)
    const headers = await signIn(site.db, memberId)
    await site.pool.query("update sessions set created_at = now() - interval '1 hour' where member_id = $1", [memberId])
    const response = await site.app.inject({ method: 'POST', url: '/api/tokens', headers, payload: NEW })
    expect(response.json()).toMatchObject({ code: 'reauthentication_required' })
  })

  test('is rejected past the limit, also for concurrent requests', async () => {
    const memberId = await makeMember(site.db)
    const headers = await signIn(site.db, memberId)
    const responses = await Promise.all(
      Array.from({ length: MAX_TOKENS + 4 }, () =>
        site.app.inject({ method: 'POST', url: '/api/tokens', headers, payload: NEW }),
      ),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(MAX_TOKENS)
    expect(responses.find(({ statusCode }) => statusCode !== 201)?.json()).toMatchObject({ code: 'too_many_tokens' })
    await site.pool.query('update api_tokens set expires_at = now() where member_id = $1', [memberId])
    expect((await create(memberId)).statusCode).toBe(201)
  })
})

describe('a request with a token', () => {
  test('acts for its member within the scopes', async () => {
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId, ['scripts:write'])
    const payload = { title: 'From a program', description: 'Text.', script_content: 'return 1' }
    const published = await site.app.inject({ method: 'POST', url: '/api/scripts', headers: token, payload })
    expect(published.statusCode).toBe(201)
    const favorites = await site.app.inject({ url: '/api/favorites', headers: token })
    expect(favorites.json()).toMatchObject({
      code: 'insufficient_scope',
      error: 'This API token lacks the scope favorites:read. Create a token that has it.',
    })
    expect(favorites.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="favorites:read"')
    const sessions = await site.app.inject({ url: '/api/sessions', headers: token })
    expect([sessions.statusCode, sessions.json().code]).toEqual([403, 'token_not_allowed'])
  })

  test('sees private scripts only with the scope for it', async () => {
    const memberId = await makeMember(site.db)
    const id = await makeScript(site.db, { author_id: memberId, is_public: false })
    const read = async (scopes: Parameters<typeof makeApiToken>[2]) => {
      const headers = await makeApiToken(site.db, memberId, scopes)
      const one = await site.app.inject({ url: `/api/script-details-slug?slug=a-${id}`, headers })
      const all = await site.app.inject({ url: `/api/scripts?author=${memberId}`, headers })
      return [one.statusCode, all.json().pagination.total]
    }
    expect(await read(['scripts:write'])).toEqual([404, 0])
    expect(await read(['scripts:read-private'])).toEqual([200, 1])
  })

  test('for chosen scripts publishes, changes and deletes these and no others', async () => {
    const memberId = await makeMember(site.db)
    const lamp = await makeScript(site.db, { author_id: memberId, title: 'Lamp' })
    const torch = await makeScript(site.db, { author_id: memberId, title: 'Torch' })
    const scopes = ['scripts:write', 'scripts:read-private']
    const created = await create(memberId, { ...NEW, scopes, script_ids: [lamp] })
    const { token, info } = created.json<{ token: string; info: ApiToken }>()
    expect(info.scripts).toEqual([{ id: lamp, title: 'Lamp' }])
    expect(await list(memberId)).toEqual([info])
    const headers = { authorization: `Bearer ${token}` }
    expect((await readInfo(headers)).json().token).toMatchObject({ id: info.id, scripts: info.scripts })
    const v1 = (method: 'PUT' | 'PATCH' | 'DELETE', id: number, suffix: string, payload?: object) =>
      site.app.inject({
        method,
        url: `/api/v1/scripts/x-${id}${suffix}`,
        headers,
        ...(payload && { payload }),
      })
    const callsOn = async (id: number) => [
      await v1('PUT', id, '/versions', { script_content: `return "by a token of ${id}"` }),
      await v1('PATCH', id, '', { description: 'Changed.' }),
      await sendChange(site, headers, id, { description: 'Changed.' }),
      await sendRestore(site, headers, { script_id: id, number: 1 }),
      await v1('DELETE', id, ''),
    ]
    expect((await callsOn(torch)).map(codeOf)).toEqual(Array.from({ length: 5 }, () => [403, 'token_not_for_script']))
    const payload = { title: 'From a program', description: 'Text.', script_content: 'return 1' }
    const published = await site.app.inject({ method: 'POST', url: '/api/scripts', headers, payload })
    expect(published.json()).toMatchObject({
      code: 'token_not_for_script',
      error: 'This token cannot publish new scripts.',
    })
    expect((await callsOn(lamp)).map(({ statusCode }) => statusCode)).toEqual([201, 200, 200, 200, 200])
    // Its scripts were deleted, which does not make it a token for all.
    expect((await list(memberId))[0]?.scripts).toEqual([])
    expect((await sendChange(site, headers, torch, { description: 'Changed.' })).statusCode).toBe(403)
  })

  test('does nothing that a person has to decide, whatever its scopes', async () => {
    const memberId = await makeMember(site.db)
    const script_id = await makeScript(site.db, { author_id: memberId })
    const headers = await makeApiToken(site.db, memberId)
    const version = { script_id, number: 1 }
    const calls: [string, object][] = [
      ['/api/version-confirm', version],
      ['/api/version-discard', { ...version, was_me: false }],
      ['/api/version-release', { ...version, reason: 'It is fine.' }],
      ['/api/version-withdraw', { ...version, reason: 'It is not.' }],
    ]
    for (const [url, payload] of calls) {
      const response = await site.app.inject({ method: 'POST', url, headers, payload })
      expect([url, ...codeOf(response)]).toEqual([url, 403, 'token_not_allowed'])
    }
  })

  test('describes the token', async () => {
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId, ['ratings:write'])
    const { token: info, member } = (await readInfo(token)).json()
    expect(info).toMatchObject({ id: token.id, scopes: ['ratings:write'] })
    expect(member.id).toBe(memberId)
  })

  test('records the last use once a minute', async () => {
    const token = await makeApiToken(site.db, await makeMember(site.db))
    const findUse = async () =>
      (await site.pool.query('select last_used_at from api_tokens where id = $1', [token.id])).rows[0]
        .last_used_at as Date | null
    await Promise.all([readInfo(token), readInfo(token)])
    await expect.poll(findUse).toBeInstanceOf(Date)
    const first = await findUse()
    await readInfo(token)
    expect(await findUse()).toEqual(first)
    await site.pool.query("update api_tokens set last_used_at = now() - interval '2 minutes' where id = $1", [token.id])
    await readInfo(token)
    await expect.poll(async () => Number(await findUse()) >= Number(first)).toBe(true)
  })

  test('is rejected in every process as soon as the token is revoked', async () => {
    const other = await createAppOn(site.database, site.pool, {}, { isFirst: false })
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId)
    expect([(await readInfo(token)).statusCode, (await readInfo(token, other)).statusCode]).toEqual([200, 200])
    const headers = await signIn(site.db, memberId)
    await site.app.inject({ method: 'DELETE', url: '/api/tokens', query: { id: token.id }, headers })
    const responses = [await readInfo(token), await readInfo(token, other)]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect(responses[1]?.json()).toEqual({
      error: 'This API token is not valid. Check that it is complete, or create a new one.',
      code: 'token_invalid',
    })
    await other.close()
  })

  test('is rejected while the member is banned, and after the token has expired', async () => {
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId)
    await site.pool.query("update members set banned_until = 'infinity' where id = $1", [memberId])
    expect((await readInfo(token)).json().code).toBe('token_invalid')
    await site.pool.query('update members set banned_until = null where id = $1', [memberId])
    expect((await readInfo(token)).statusCode).toBe(200)
    await site.pool.query('update api_tokens set expires_at = now() where id = $1', [token.id])
    expect((await readInfo(token)).json().code).toBe('token_expired')
  })

  test('has limits of its own', async () => {
    const limited = await createAppOn(site.database, site.pool, { rateLimit: true }, { isFirst: false })
    const memberId = await makeMember(site.db)
    const [one, other] = [await makeApiToken(site.db, memberId), await makeApiToken(site.db, memberId)]
    const statuses: number[] = []
    for (let i = 0; i < 601; i++) statuses.push((await readInfo(one, limited)).statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(600)
    expect(statuses.at(-1)).toBe(429)
    expect((await readInfo(other, limited)).statusCode).toBe(200)
    await limited.close()
  })
})

test('tokens that expired a month ago are deleted', async () => {
  const memberId = await makeMember(site.db)
  const [old, recent] = [await makeApiToken(site.db, memberId), await makeApiToken(site.db, memberId)]
  const expire = (id: string, days: number) =>
    site.pool.query("update api_tokens set expires_at = now() - $2 * interval '1 day' where id = $1", [id, days])
  await expire(old.id, 31)
  await expire(recent.id, 29)
  await deleteDueData(site.db)
  expect((await list(memberId)).map(({ id }) => id)).toEqual([recent.id])
})

test.each([
  [undefined, undefined],
  ['Basic c3lfOg==', undefined],
  [`Bearer sy_${'a'.repeat(40)}`, undefined],
  ['bearer sy_x', 'sy_x'],
  [`Bearer sy_${'a'.repeat(36)}`, `sy_${'a'.repeat(36)}`],
])('the API token of %s is %s', (header, token) => {
  expect(readApiToken(header)).toBe(token)
})
