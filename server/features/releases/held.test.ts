import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BodyOf, OperationName, ResultOf } from '#contract/operations.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { publish, sendChange, type SignedIn } from '#tests/support/scripts.ts'

const SENDS = `local http = game:GetService("HttpService")
http:PostAsync("https://discord.com/api/webhooks/1234567890/abcdefghijklmnopqrstuvwxyz", "{}")
`

let site: TestApp
let author: SignedIn
let moderator: SignedIn
let admin: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  author = await signIn(site.db, await makeMember(site.db, { username: 'ada', slug: 'ada' }))
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

async function call<K extends OperationName>(
  name: K,
  headers: SignedIn,
  { query = '', payload }: { query?: string; payload?: BodyOf<K> } = {},
): Promise<{ status: number; body: ResultOf<K> }> {
  const [method, path] = name.split(' ') as ['GET' | 'PUT' | 'POST', string]
  const response = await site.app.inject({ method, url: path + query, headers, ...(payload ? { payload } : {}) })
  return { status: response.statusCode, body: response.json<ResultOf<K>>() }
}

const listHeld = (headers: SignedIn, page = 1) => call('GET /api/held-versions', headers, { query: `?page=${page}` })

/** Publishes an update that sends messages to a webhook. Returns the id of the script. */
async function hold(title: string): Promise<number> {
  const id = await publish(site, author, { title })
  expect((await sendChange(site, author, id, { script_content: SENDS, version: '1.1.0' })).statusCode).toBe(200)
  return id
}

describe('the list of held versions', () => {
  beforeEach(() => sql`delete from scripts`.execute(site.db))

  test('names the script, the author, the current version and the reasons with lines', async () => {
    const id = await hold('A clock')
    const { body } = await listHeld(moderator)
    expect(body.pagination).toMatchObject({ page: 1, total: 1, pages: 1, is_exact: true })
    expect(body.versions).toEqual([
      expect.objectContaining({
        script: { id, title: 'A clock', slug: `a-clock-${id}` },
        author: expect.objectContaining({ name: 'ada', slug: 'ada' }),
        number: 2,
        version: '1.1.0',
        current_number: 1,
        held: expect.objectContaining({ confirmed_at: null, current_at: null }),
      }),
    ])
    const reasons = body.versions[0]?.held.reasons ?? []
    expect(reasons).toContainEqual(expect.objectContaining({ id: 'net.webhook', host: 'discord.com', line: 2 }))
  })

  test('has confirmed versions first, and says if nothing of a script is public', async () => {
    await hold('Not confirmed')
    const id = await hold('Confirmed')
    await sql`update script_versions set confirmed_at = now(), current_at = now() + interval '1 hour'
      where script_id = ${id} and state = 'held'`.execute(site.db)
    await publish(site, author, { title: 'A first version', script_content: SENDS })
    const { body } = await listHeld(moderator)
    expect(body.versions.map(({ script, current_number }) => [script.title, current_number])).toEqual([
      ['Confirmed', 1],
      ['Not confirmed', 1],
      ['A first version', null],
    ])
  })

  test('has pages', async () => {
    await hold('A clock')
    expect((await listHeld(moderator, 2)).body).toMatchObject({ versions: [], pagination: { page: 2, total: 1 } })
  })

  test('is for moderators', async () => {
    expect((await listHeld(author)).status).toBe(403)
  })
})

test('the page of a script changes with the state of its version', async () => {
  const id = await hold('Watched')
  const countChanges = async () => {
    const { rows } = await sql<{
      count: number
    }>`select count(*) from catalogue_changes where script_id = ${id}`.execute(site.db)
    return rows[0]?.count ?? 0
  }
  const before = await countChanges()
  await sql`update script_versions set confirmed_at = now(), current_at = now() where script_id = ${id}
    and state = 'held'`.execute(site.db)
  expect(await countChanges()).toBe(before + 1)
})

describe('the hours of a hold', () => {
  beforeEach(() => sql`delete from hold_settings`.execute(site.db))
  const change = (headers: SignedIn, hold_hours: number | null) =>
    call('PUT /api/hold-settings', headers, { payload: { hold_hours } })

  test('are 24 until an admin changes them, with an entry in the audit log', async () => {
    expect((await call('GET /api/hold-settings', author)).body).toEqual({
      hold_hours: 24,
      is_default: true,
      default_hold_hours: 24,
    })
    expect((await change(admin, 6)).body).toMatchObject({ hold_hours: 6, is_default: false })
    expect((await change(admin, null)).body).toMatchObject({ hold_hours: 24, is_default: true })
    const { rows } = await sql<{ after: unknown }>`select after from audit_log where action = 'change_hold_hours'
      order by id`.execute(site.db)
    expect(rows.map(({ after }) => after)).toEqual([{ hold_hours: 6 }, { hold_hours: 24 }])
  })

  test('apply to the next confirmation', async () => {
    await change(admin, 0)
    const id = await hold('At once')
    const { body } = await call('POST /api/version-confirm', author, { payload: { script_id: id, number: 2 } })
    expect(body.state).toBe('current')
  })

  test.each([-1, 169, 1.5])('cannot be %s', async (hours) => {
    expect((await change(admin, hours)).status).toBe(400)
  })

  test('are changed by admins only', async () => {
    expect((await change(moderator, 1)).status).toBe(403)
  })
})
