import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import {
  Author,
  createReleaseSite,
  HARMLESS,
  type Put,
  readAsVisitor,
  type ReleaseSite,
  REMOTE,
  statesOf,
  unique,
  WEBHOOK,
} from '#tests/support/releases.ts'
import { checkVersions, publish, sendChange, sendRelease, sendRestore, type SignedIn } from '#tests/support/scripts.ts'
import { releaseConfirmed } from './checks.ts'

let site: TestApp
let moderator: SignedIn
let close: ReleaseSite['close']
let author: Author
beforeAll(async () => {
  ;({ site, moderator, close } = await createReleaseSite())
})
beforeEach(async () => {
  author = await Author.create(site)
})
afterAll(() => close())

const isPublic = async (id: number) => (await site.app.inject(`/raw/lamp-${id}`)).statusCode === 200
const raw = async (id: number) => (await site.app.inject(`/raw/lamp-${id}`)).body
const change = (id: number, body: object) => sendChange(site, author.headers, id, body)
const messages = async (memberId = author.memberId) => {
  const { rows } = await site.pool.query<{ title: string; message: string }>(
    "select title, message from notifications where member_id = $1 and title <> 'New API token' order by id",
    [memberId],
  )
  return rows
}
const options = () => ({ db: site.db, jobs: site.jobs, emit: async () => {} })
/** As if the version had waited for that long. */
const age = (id: number, hours: number) =>
  site.pool.query(
    `update script_versions set created_at = created_at - make_interval(hours => $2),
      current_at = current_at - make_interval(hours => $2) where script_id = $1`,
    [id, hours],
  )
const moderate = (action: 'hide' | 'unhide', id: number) =>
  site.app.inject({
    method: 'POST',
    url: '/api/moderation',
    headers: { ...moderator },
    payload: { action, subject_type: 'script', subject_id: id, reason: 'A test.' },
  })

describe('a first version', () => {
  test('that does nothing serious is current at once', async () => {
    const id = await publish(site, author.headers, { script_content: unique(HARMLESS) })
    expect(await statesOf(site, id)).toEqual([[1, 'published']])
    expect(await isPublic(id)).toBe(true)
    expect(await messages()).toEqual([])
  })

  test('is current at once if the request that publishes it declares what is serious', async () => {
    const id = await publish(site, author.headers, {
      script_content: unique(`${REMOTE}\n${WEBHOOK}`),
      declared_capabilities: ['code.remote', 'net.webhook'],
    })
    expect(await statesOf(site, id)).toEqual([[1, 'published']])
    expect(await isPublic(id)).toBe(true)
  })

  test('that is not declared is held, shown to nobody but its author, and released by one click that declares', async () => {
    const id = await publish(site, author.headers, { title: 'Lamp', script_content: unique(`\n${REMOTE}`) })
    expect(await author.waiting(id)).toMatchObject({
      number: 1,
      state: 'held',
      is_first: true,
      held: {
        reasons: [{ id: 'code.remote', line: 2, detail: 'loadstring of a download: https://hub.example/x.lua' }],
        confirmed_at: null,
        current_at: null,
      },
    })
    expect(await readAsVisitor(site, id)).not.toMatch(/hub\.example|Lamp"/)
    expect(await isPublic(id)).toBe(false)
    expect((await change(id, { declared_capabilities: ['net.get'] })).statusCode).toBe(200)
    expect(await isPublic(id)).toBe(false)
    const declared = await change(id, { declared_capabilities: ['code.remote'] })
    expect(declared.json()).toMatchObject({ script: { is_public: true, waiting: null } })
    expect(await statesOf(site, id)).toEqual([[1, 'published']])
    expect(await raw(id)).toContain('hub.example')
  })

  test('that is held can be changed to code that does nothing serious', async () => {
    const id = await publish(site, author.headers, { script_content: unique(REMOTE) })
    const code = unique(HARMLESS)
    expect((await change(id, { script_content: code })).statusCode).toBe(200)
    expect(await statesOf(site, id)).toEqual([
      [1, 'discarded'],
      [2, 'published'],
    ])
    expect(await raw(id)).toBe(code)
  })

  test('that its author discards leaves a private script', async () => {
    const id = await publish(site, author.headers, { script_content: unique(REMOTE) })
    expect((await author.discard(id, 1)).statusCode).toBe(200)
    expect(await statesOf(site, id)).toEqual([[1, 'discarded']])
    const { rows } = await site.pool.query('select is_public, is_unchecked, was_public from scripts where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ is_public: false, is_unchecked: false, was_public: null }])
  })
})

describe('a later version', () => {
  test('that starts nothing serious is current at once', async () => {
    const id = await author.make()
    const code = unique('print(game:HttpGet("https://api.example/"))')
    expect((await change(id, { script_content: code })).statusCode).toBe(200)
    expect(await raw(id)).toBe(code)
    expect(await author.waiting(id)).toBeNull()
  })

  test('that starts something is held, although it declares it, and no visitor gets a byte of its code', async () => {
    const former = unique(HARMLESS)
    const id = await author.make(former)
    const code = unique(`\n${REMOTE}`)
    const response = await change(id, { title: 'Lamp 2', script_content: code, declared_capabilities: ['code.remote'] })
    expect(response.json()).toMatchObject({ script: { title: 'Lamp 2', waiting: { number: 2, state: 'held' } } })
    expect((await change(id, { declared_capabilities: ['code.remote', 'net.get'] })).statusCode).toBe(200)
    const { rows } = await site.pool.query<{ sha256: string }>(
      'select sha256 from script_versions where script_id = $1 and number = 2',
      [id],
    )
    const answers = await readAsVisitor(site, id, rows[0]?.sha256)
    expect(answers).not.toMatch(/HttpGet|hub\.example\/x|loadstring/)
    expect(answers).toContain(`/raw/lamp-${id}?sha256=${rows[0]?.sha256} 404`)
    expect(answers).toContain(`/raw/lamp-${id}?version=2 404`)
    expect(answers).toContain('Lamp 2')
    expect(await raw(id)).toBe(former)
    expect(await author.waiting(id, {})).toMatchObject({
      number: 2,
      state: 'held',
      is_first: false,
      held: { reasons: [{ id: 'code.remote', host: 'hub.example', line: 2, detail: null }] },
    })
    expect(await author.waiting(id, moderator)).toMatchObject({
      held: { reasons: [{ detail: 'loadstring of a download: https://hub.example/x.lua' }] },
    })
    expect(await messages()).toMatchObject([
      { title: 'A version waits for you', message: expect.stringContaining('from hub.example, line 2') },
    ])
  })

  test('becomes current when its author has confirmed it and its time is over, whichever is later', async () => {
    const [early, late] = [await author.make(), await author.make()]
    const code = unique(REMOTE)
    for (const id of [early, late]) await change(id, { script_content: code })
    const confirmed = await author.confirm(early, 2)
    const { rows } = await site.pool.query<{ current_at: Date; created_at: Date }>(
      'select current_at, created_at from script_versions where script_id = $1 and number = 2',
      [early],
    )
    const hours = rows[0] && (rows[0].current_at.getTime() - rows[0].created_at.getTime()) / 3_600_000
    expect([confirmed.statusCode, hours]).toEqual([200, 24])
    expect(confirmed.json()).toMatchObject({ state: 'held', current_at: rows[0]?.current_at.toISOString() })
    await releaseConfirmed(options())
    expect(await raw(early)).not.toBe(code)
    for (const id of [early, late]) await age(id, 25)
    await releaseConfirmed(options())
    expect([await raw(early), (await raw(late)) === code]).toEqual([code, false])
    expect((await author.confirm(late, 2)).json()).toMatchObject({ state: 'current' })
    expect(await raw(late)).toBe(code)
  })

  test('is confirmed with a recent sign-in only, by its author, and never with a token', async () => {
    const id = await author.make()
    await change(id, { script_content: unique(REMOTE) })
    const other = await signIn(site.db)
    const old = await signIn(site.db, author.memberId)
    await sql`update sessions set created_at = now() - interval '11 minutes' where member_id = ${author.memberId}`.execute(
      site.db,
    )
    const payload = { script_id: id, number: 2 }
    for (const headers of [old, other, author.token, moderator]) {
      const { authorization } = headers
      const url = '/api/version-confirm'
      const response = await site.app.inject({ method: 'POST', url, headers: { authorization }, payload })
      expect(response.statusCode).toBe(403)
    }
    expect(await author.waiting(id)).toMatchObject({ held: { confirmed_at: null } })
  })

  test('is released by a moderator at any time, with a reason in the audit log', async () => {
    const id = await author.make()
    const code = unique(REMOTE)
    await change(id, { script_content: code })
    expect((await sendRelease(site, author.headers, id, 2)).statusCode).toBe(403)
    expect((await sendRelease(site, moderator, id, 2)).statusCode).toBe(200)
    expect(await raw(id)).toBe(code)
    const { rows } = await site.pool.query(`select count(*) as entries from audit_log
      where action = 'release_version' and subject_id = ${id}`)
    expect(rows).toEqual([{ entries: 1 }])
    expect((await sendRelease(site, moderator, id, 2)).json()).toMatchObject({ code: 'version_not_waiting' })
  })

  test('that its author did not publish ends the token and all other sessions', async () => {
    const id = await author.make()
    const other = await signIn(site.db, author.memberId)
    const response = await author.put(id, { script_content: unique(REMOTE) })
    expect([response.statusCode, response.json<Put>().version.state]).toEqual([202, 'held'])
    expect((await author.discard(id, 2, false)).json()).toMatchObject({ state: 'discarded' })
    const statusOf = async (headers: { authorization: string }) =>
      (await site.app.inject({ url: '/api/user-profile', headers: { authorization: headers.authorization } }))
        .statusCode
    expect([await statusOf(author.headers), await statusOf(other)]).toEqual([200, 401])
    expect((await author.put(id, { script_content: unique(HARMLESS) })).statusCode).toBe(401)
    expect(await statesOf(site, id)).toEqual([
      [1, 'published'],
      [2, 'discarded'],
    ])
  })

  test('is compared with the current code, not with the one that it replaces', async () => {
    const id = await author.make()
    await change(id, { script_content: unique(REMOTE) })
    await change(id, { script_content: unique(`${REMOTE}\nprint(2)`) })
    expect(await statesOf(site, id)).toEqual([
      [1, 'published'],
      [2, 'discarded'],
      [3, 'held'],
    ])
    const { rows } = await site.pool.query(
      'select discard_reason from script_versions where script_id = $1 and number = 2',
      [id],
    )
    expect(rows).toEqual([{ discard_reason: 'Replaced by 1.0.2.' }])
    expect(await messages()).toHaveLength(1)
  })

  test('that starts the same as the current code is current', async () => {
    const id = await author.make(unique(REMOTE))
    const code = unique(`${REMOTE}\nprint("more")`)
    await change(id, { script_content: code })
    expect(await raw(id)).toBe(code)
  })

  test('with less evidence of who published it is held', async () => {
    const id = await author.make()
    await site.pool.query(
      `update script_versions set provenance = jsonb_set(provenance, '{by}', '"build"') where script_id = $1`,
      [id],
    )
    await change(id, { script_content: unique(HARMLESS) })
    expect(await author.waiting(id)).toMatchObject({ held: { reasons: [{ id: 'less_evidence' }] } })
  })
})

describe('a script that is not public', () => {
  test('serves its published version when it becomes public, until newer code was checked', async () => {
    const former = unique(HARMLESS)
    const id = await author.make(former)
    await change(id, { is_public: false })
    const code = unique(REMOTE)
    await change(id, { script_content: code })
    expect(await statesOf(site, id)).toEqual([
      [1, 'published'],
      [2, 'private'],
    ])
    const own = await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers: { ...author.headers } })
    expect(own.json()).toMatchObject({ script: { script_content: code } })
    await change(id, { is_public: true })
    expect((await statesOf(site, id)).at(-1)).toEqual([2, 'held'])
    expect(await raw(id)).toBe(former)
    expect(await readAsVisitor(site, id)).not.toContain('hub.example/x')
  })

  test('that becomes private and public again while a version is held stays held', async () => {
    const former = unique(HARMLESS)
    const id = await author.make(former)
    await change(id, { script_content: unique(REMOTE) })
    await change(id, { is_public: false })
    expect(await isPublic(id)).toBe(false)
    await change(id, { is_public: true })
    expect(await raw(id)).toBe(former)
    expect((await statesOf(site, id)).at(-1)).toEqual([2, 'held'])
  })

  test('with a held first version is checked again when it becomes public again', async () => {
    const id = await publish(site, author.headers, { script_content: unique(REMOTE) })
    await change(id, { is_public: false })
    expect(await statesOf(site, id)).toEqual([[1, 'private']])
    await change(id, { is_public: true })
    expect(await statesOf(site, id)).toEqual([[1, 'held']])
    expect(await isPublic(id)).toBe(false)
  })

  test('because moderators hid it never shows unchecked code when they show it again', async () => {
    const former = unique(HARMLESS)
    const [id, first] = [
      await author.make(former),
      await publish(site, author.headers, { script_content: unique(REMOTE) }),
    ]
    for (const each of [id, first]) expect((await moderate('hide', each)).statusCode).toBe(200)
    await change(id, { script_content: unique(REMOTE) })
    expect((await statesOf(site, id)).at(-1)).toEqual([2, 'held'])
    for (const each of [id, first]) expect((await moderate('unhide', each)).statusCode).toBe(200)
    expect([await raw(id), await isPublic(first)]).toEqual([former, false])
  })
})

test('an earlier version that is restored is checked against the current code', async () => {
  const id = await author.make(unique(REMOTE))
  const harmless = unique(HARMLESS)
  await change(id, { script_content: harmless })
  expect(await raw(id)).toBe(harmless)
  expect((await sendRestore(site, author.headers, { script_id: id, number: 1 })).statusCode).toBe(200)
  await checkVersions(site)
  expect((await statesOf(site, id)).at(-1)).toEqual([3, 'held'])
  expect(await raw(id)).toBe(harmless)
})

test('muted members discard what they did not publish, and confirm nothing', async () => {
  const id = await author.make()
  await change(id, { script_content: unique(REMOTE) })
  await sql`update members set muted_until = 'infinity' where id = ${author.memberId}`.execute(site.db)
  expect((await author.confirm(id, 2)).statusCode).toBe(403)
  expect((await author.discard(id, 2, false)).statusCode).toBe(200)
})

test('without a time to wait, a version is current as soon as its author confirms it', async () => {
  const quick = await createTestApp({ holdHours: 0 })
  try {
    const member = await makeMember(quick.db)
    const headers = await signIn(quick.db, member)
    const id = await publish(quick, headers, { script_content: unique(REMOTE) })
    const payload = { script_id: id, number: 1 }
    const response = await quick.app.inject({ method: 'POST', url: '/api/version-confirm', headers, payload })
    expect(response.json()).toMatchObject({ state: 'current' })
    expect((await quick.app.inject(`/raw/x-${id}`)).statusCode).toBe(200)
  } finally {
    await quick.close()
  }
})
