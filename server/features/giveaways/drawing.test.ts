import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { replayDraw } from '#tests/support/giveaways.ts'
import { makeApiToken, makeMember, signIn } from '#tests/support/factories.ts'

type Headers = Record<string, string>

let site: TestApp
let admin: Headers

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})

const post = (payload: object, headers: Headers) =>
  site.app.inject({ method: 'POST', url: '/api/giveaways', headers, payload })

async function create(input: object = {}): Promise<number> {
  const response = await post({ title: 'Keys', end_date: '2099-12-31', ...input }, admin)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().giveaway.id
}

async function enterMany(id: number, count: number): Promise<{ memberId: number; headers: Headers }[]> {
  const entrants: { memberId: number; headers: Headers }[] = []
  for (let n = 0; n < count; n++) {
    const memberId = await makeMember(site.db)
    const headers = await signIn(site.db, memberId)
    await post({ action: 'enter', giveaway_id: id }, headers)
    entrants.push({ memberId, headers })
  }
  return entrants
}

const draw = (id: number) => post({ action: 'select-winners', giveaway_id: id }, admin)
const list = async (headers: Headers) => {
  const response = await site.app.inject({ url: '/api/giveaways', headers })
  return response.json().data.giveaways as { id: number; user_won: boolean; prize_value: string | null }[]
}
const readDraw = async (id: number) =>
  (await site.app.inject({ url: `/api/giveaway-draw?id=${id}` })).json() as Parameters<typeof replayDraw>[0] & {
    seed_sha256: string
    winners: number[]
  }

test('gives each winner one line of the prizes, and the others none', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'PLANT-1\nPLANT-2\nPLANT-3', winner_count: 3 })
  const entrants = await enterMany(id, 8)
  const response = await draw(id)
  expect(response.json()).toMatchObject({ message: '3 winners selected' })
  const prizes: string[] = []
  const losses: unknown[] = []
  for (const { headers } of entrants) {
    const own = (await list(headers)).find((giveaway) => giveaway.id === id)
    if (own?.user_won) prizes.push(own.prize_value ?? '')
    else losses.push(own?.prize_value)
  }
  expect(prizes.toSorted()).toEqual(['PLANT-1', 'PLANT-2', 'PLANT-3'])
  expect(losses).toEqual([null, null, null, null, null])
})

test('exposes a key only to its winner, and stores it encrypted', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'PLANTED-KEY', winner_count: 1 })
  const entrants = await enterMany(id, 3)
  await draw(id)
  const { winners } = await readDraw(id)
  const { member_id: winner } = await site.db
    .selectFrom('giveaway_entries')
    .select('member_id')
    .where('id', '=', winners[0] ?? 0)
    .executeTakeFirstOrThrow()
  const others = [{}, await signIn(site.db), admin]
  for (const { memberId, headers } of entrants) if (memberId !== winner) others.push(headers)
  for (const headers of others) {
    for (const url of [
      '/api/giveaways',
      '/api/giveaways?admin=true',
      `/api/giveaway-draw?id=${id}`,
      '/api/user-notifications',
    ]) {
      expect((await site.app.inject({ url, headers })).body).not.toContain('PLANTED-KEY')
    }
  }
  const { rows } = await site.pool.query<{ tables: string }>(
    `select string_agg(table_name, ' ') as tables from information_schema.tables where table_schema = 'public'`,
  )
  for (const table of rows[0]?.tables.split(' ') ?? []) {
    const found = await site.pool.query(`select 1 from "${table}" t where t::text like '%PLANTED-KEY%'`)
    expect([table, found.rowCount]).toEqual([table, 0])
  }
})

test('shows all prizes to admins on request, and records it in the audit log', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'A\nB', winner_count: 2 })
  const response = await site.app.inject({ url: `/api/giveaway-prizes?id=${id}`, headers: admin })
  expect(response.json()).toEqual({ prize_value: 'A\nB' })
  const auditEntries = await site.db.selectFrom('audit_log').select('action').where('subject_id', '=', id).execute()
  expect(auditEntries.map(({ action }) => action)).toEqual(['create_giveaway', 'reveal_prizes'])
})

test('publishes the hash of the seed on creation and the seed with the draw, which can be replayed', async () => {
  const id = await create({ winner_count: 5 })
  await enterMany(id, 40)
  const before = await readDraw(id)
  expect(before).toMatchObject({ seed: null, winners: [] })
  await draw(id)
  const after = await readDraw(id)
  expect(after.seed_sha256).toBe(before.seed_sha256)
  expect(createHash('sha256').update(Buffer.from(after.seed, 'hex')).digest('hex')).toBe(before.seed_sha256)
  expect(after.entries).toHaveLength(40)
  expect(after.winners).toEqual(replayDraw(after))
})

test('notifies each winner with only their own prize', async () => {
  const id = await create({ title: 'Passes', prize_type: 'exec_key', prize_value: 'KEY-1\nKEY-2', winner_count: 2 })
  const entrants = await enterMany(id, 2)
  await draw(id)
  const keys = await Promise.all(
    entrants.map(async ({ headers }) => {
      const { notifications } = (await site.app.inject({ url: '/api/user-notifications', headers })).json<{
        notifications: Notification[]
      }>()
      expect(notifications).toMatchObject([{ title: 'You won a giveaway!', link: `/giveaways#giveaway-${id}` }])
      return notifications[0]?.message
    }),
  )
  const sentence = 'Congratulations, you won “Passes”.\nYour prize: '
  expect(keys.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([`${sentence}KEY-1`, `${sentence}KEY-2`])
})

test('does not send the prize to a program with an API token of the winner', async () => {
  const id = await create({ title: 'Pass', prize_type: 'exec_key', prize_value: 'KEY-1', winner_count: 1 })
  const [winner] = await enterMany(id, 1)
  await draw(id)
  const { authorization } = await makeApiToken(site.db, winner?.memberId ?? 0, ['notifications:read'])
  const response = await site.app.inject({ url: '/api/user-notifications', headers: { authorization } })
  const { notifications } = response.json<{ notifications: Notification[] }>()
  expect(notifications.map(({ message }) => message)).toContain('Congratulations, you won “Pass”.')
})

test('excludes banned and deleted members from the draw and from its published entries', async () => {
  const id = await create({ winner_count: 50 })
  const entrants = await enterMany(id, 6)
  const [banned = 0, deleted = 0] = entrants.map(({ memberId }) => memberId)
  await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', banned).execute()
  await site.db.deleteFrom('members').where('id', '=', deleted).execute()
  expect((await draw(id)).json().winners).toHaveLength(4)
  const { entries, winners } = await readDraw(id)
  expect(entries).toHaveLength(4)
  expect(winners.toSorted((a, b) => a - b)).toEqual(entries)
})

test('20 concurrent draws draw once', async () => {
  const id = await create({ winner_count: 3 })
  await enterMany(id, 10)
  const responses = await Promise.all(Array.from({ length: 20 }, () => draw(id)))
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
  const { rows } = await site.pool.query(
    'select count(*)::int as winners, count(distinct member_id)::int as members from giveaway_entries where giveaway_id = $1 and place is not null',
    [id],
  )
  expect(rows).toEqual([{ winners: 3, members: 3 }])
})

test('entries during a draw either take part in it or are rejected', async () => {
  const id = await create({ winner_count: 2 })
  await enterMany(id, 3)
  const headers = await Promise.all(Array.from({ length: 30 }, () => signIn(site.db)))
  const entering = headers.map((entrant) => post({ action: 'enter', giveaway_id: id }, entrant))
  await draw(id)
  const responses = await Promise.all(entering)
  const entered = responses.filter(({ statusCode }) => statusCode === 200).length
  expect((await readDraw(id)).entries).toHaveLength(3 + entered)
})

test('selects winners uniformly over 10,000 seeds', () => {
  const wins = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 10_000; n++) {
    const seed = createHash('sha256').update(`seed ${n}`).digest('hex')
    const [winner = 0] = replayDraw({ seed, entries: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], winner_count: 1 })
    wins[winner - 1] = (wins[winner - 1] ?? 0) + 1
  }
  const chiSquared = wins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  // With 9 degrees of freedom, a fair draw exceeds 27.9 with probability 0.001.
  expect(chiSquared).toBeLessThan(27.9)
})

describe('rejects', () => {
  test('a draw without entries', async () => {
    const response = await draw(await create())
    expect([response.statusCode, response.json().code]).toEqual([409, 'no_entries'])
  })

  test('a second draw', async () => {
    const id = await create()
    await enterMany(id, 1)
    await draw(id)
    const response = await draw(id)
    expect([response.statusCode, response.json().code]).toEqual([409, 'already_drawn'])
  })

  test('a draw by an admin who was demoted before the transaction', async () => {
    const adminId = await makeMember(site.db, { is_admin: true })
    const headers = await signIn(site.db, adminId)
    const id = await create()
    await enterMany(id, 2)
    const demoting = site.db.updateTable('members').set({ is_admin: false }).where('id', '=', adminId).execute()
    const response = await post({ action: 'select-winners', giveaway_id: id }, headers)
    await demoting
    const { drawn_at } = await site.db
      .selectFrom('giveaways')
      .select('drawn_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(drawn_at !== null).toBe(response.statusCode === 200)
  })
})
