import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { replayDraw } from '#tests/support/giveaways.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

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
  const answer = await post({ title: 'Keys', end_date: '2099-12-31', ...input }, admin)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().giveaway.id
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
  const answer = await site.app.inject({ url: '/api/giveaways', headers })
  return answer.json().data.giveaways as { id: number; user_won: boolean; prize_value: string | null }[]
}
const published = async (id: number) =>
  (await site.app.inject({ url: `/api/giveaway-draw?id=${id}` })).json() as Parameters<typeof replayDraw>[0] & {
    seed_sha256: string
    winners: number[]
  }

test('gives each winner a line of the prizes and nobody else any', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'PLANT-1\nPLANT-2\nPLANT-3', winner_count: 3 })
  const entrants = await enterMany(id, 8)
  const answer = await draw(id)
  expect(answer.json()).toMatchObject({ message: '3 winners selected' })
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

test('tells no key to visitors, losers and other members, in no answer, nor in clear in the database', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'PLANTED-KEY', winner_count: 1 })
  const entrants = await enterMany(id, 3)
  await draw(id)
  const { winners } = await published(id)
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

test('shows admins all lines on demand, and notes that they looked', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'A\nB', winner_count: 2 })
  const answer = await site.app.inject({ url: `/api/giveaway-prizes?id=${id}`, headers: admin })
  expect(answer.json()).toEqual({ prize_value: 'A\nB' })
  const noted = await site.db.selectFrom('audit_log').select('action').where('subject_id', '=', id).execute()
  expect(noted.map(({ action }) => action)).toEqual(['create_giveaway', 'reveal_prizes'])
})

test('publishes the hash of the seed at once, the seed with the draw, and replays to the same winners', async () => {
  const id = await create({ winner_count: 5 })
  await enterMany(id, 40)
  const before = await published(id)
  expect(before).toMatchObject({ seed: null, winners: [] })
  await draw(id)
  const after = await published(id)
  expect(after.seed_sha256).toBe(before.seed_sha256)
  expect(createHash('sha256').update(Buffer.from(after.seed, 'hex')).digest('hex')).toBe(before.seed_sha256)
  expect(after.entries).toHaveLength(40)
  expect(after.winners).toEqual(replayDraw(after))
})

test('tells the winners, with their own prize and no other', async () => {
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

test('leaves out the banned and the gone, who stay countable', async () => {
  const id = await create({ winner_count: 50 })
  const entrants = await enterMany(id, 6)
  const [banned = 0, gone = 0] = entrants.map(({ memberId }) => memberId)
  await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', banned).execute()
  await site.db.deleteFrom('members').where('id', '=', gone).execute()
  expect((await draw(id)).json().winners).toHaveLength(4)
  const { entries, winners } = await published(id)
  expect(entries).toHaveLength(4)
  expect(winners.toSorted((a, b) => a - b)).toEqual(entries)
})

test('20 draws at once make one', async () => {
  const id = await create({ winner_count: 3 })
  await enterMany(id, 10)
  const answers = await Promise.all(Array.from({ length: 20 }, () => draw(id)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
  const { rows } = await site.pool.query(
    'select count(*)::int as winners, count(distinct member_id)::int as members from giveaway_entries where giveaway_id = $1 and place is not null',
    [id],
  )
  expect(rows).toEqual([{ winners: 3, members: 3 }])
})

test('entries beside a draw are in it or refused', async () => {
  const id = await create({ winner_count: 2 })
  await enterMany(id, 3)
  const headers = await Promise.all(Array.from({ length: 30 }, () => signIn(site.db)))
  const entering = headers.map((one) => post({ action: 'enter', giveaway_id: id }, one))
  await draw(id)
  const answers = await Promise.all(entering)
  const entered = answers.filter(({ statusCode }) => statusCode === 200).length
  expect((await published(id)).entries).toHaveLength(3 + entered)
})

test('is uniform over ten thousand seeds', () => {
  const wins = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 10_000; n++) {
    const seed = createHash('sha256').update(`seed ${n}`).digest('hex')
    const [winner = 0] = replayDraw({ seed, entries: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], winner_count: 1 })
    wins[winner - 1] = (wins[winner - 1] ?? 0) + 1
  }
  const chiSquared = wins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  // 9 degrees of freedom: 27.9 is passed by chance once in a thousand.
  expect(chiSquared).toBeLessThan(27.9)
})

describe('refuses', () => {
  test('to draw where nobody has entered', async () => {
    const answer = await draw(await create())
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'no_entries'])
  })

  test('to draw twice', async () => {
    const id = await create()
    await enterMany(id, 1)
    await draw(id)
    const answer = await draw(id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'already_drawn'])
  })

  test('an admin who is none any more at the moment of the deed', async () => {
    const adminId = await makeMember(site.db, { is_admin: true })
    const headers = await signIn(site.db, adminId)
    const id = await create()
    await enterMany(id, 2)
    const demoting = site.db.updateTable('members').set({ is_admin: false }).where('id', '=', adminId).execute()
    const answer = await post({ action: 'select-winners', giveaway_id: id }, headers)
    await demoting
    const { drawn_at } = await site.db
      .selectFrom('giveaways')
      .select('drawn_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(drawn_at !== null).toBe(answer.statusCode === 200)
  })
})
