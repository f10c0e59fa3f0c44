import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { Person } from '#tests/support/person.ts'
import { createSignInSite, type SignInSite } from '#tests/support/sign-in.ts'

const HOUR_MS = 3_600_000

let site: SignInSite
let ada: Person
let admin: { authorization: string }
beforeAll(async () => {
  site = await createSignInSite()
  ada = await new Person(site, 'ada').signIn()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

const act = async (payload: object) =>
  (await site.app.inject({ method: 'POST', url: '/api/admin-keys', headers: admin, payload })).statusCode
const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await site.pool.query<Row>(sql, values)).rows
const reputationOf = async (id: number) =>
  (await query<{ reputation: number }>('select reputation from members where id = $1', [id]))[0]?.reputation

describe('a person who deletes the account and returns', () => {
  test('has one vote per script, which is theirs again', async () => {
    const script = await makeScript(site.db)
    expect((await ada.rate(script, 5, 'Great.')).status).toBe(200)
    for (let round = 0; round < 3; round++) {
      await ada.returnWithNewAccount()
      expect((await ada.ask(`GET /api/script-rating?id=${script}`)).body).toMatchObject({
        own_rating: { review: 'Great.' },
        summary: { rating_count: 1 },
      })
      expect((await ada.rate(script, 4, 'Great.')).body).toMatchObject({
        summary: { rating_count: 1, average_rating: 4 },
      })
    }
  })

  test('raises the trend of a script once', async () => {
    const script = await makeScript(site.db)
    const findTrend = async () =>
      (await query<{ trend: number }>('select trend from script_stats where script_id = $1', [script]))[0]?.trend
    await ada.rate(script, 5)
    const trend = await findTrend()
    await ada.ask(`DELETE /api/script-rating?id=${script}`)
    await ada.returnWithNewAccount()
    await ada.rate(script, 5)
    expect(await findTrend()).toBe(trend)
  })

  test('gives one point per member and day within the daily limit', async () => {
    const targets = [await makeMember(site.db), await makeMember(site.db), await makeMember(site.db)]
    for (const target of targets) expect((await ada.give(target)).status).toBe(200)
    await ada.returnWithNewAccount()
    expect((await ada.give(targets[0] ?? 0)).body['code']).toBe('already_given')
    expect((await ada.give(await makeMember(site.db))).body['code']).toBe('daily_limit')
    expect(await Promise.all(targets.map(reputationOf))).toEqual([1, 1, 1])
  })

  test('receives one point per giver and day and has the former reputation', async () => {
    const giver = await new Person(site, 'lin').signIn()
    expect((await giver.give(ada.id)).status).toBe(200)
    expect(await act({ action: 'edit_user', user_id: ada.id, reputation: -50, notes: 'Argues a lot.' })).toBe(200)
    await ada.returnWithNewAccount()
    expect(await query('select reputation, notes from members where id = $1', [ada.id])).toEqual([
      { reputation: -50, notes: 'Argues a lot.' },
    ])
    expect((await giver.give(ada.id)).body['code']).toBe('already_given')
  })

  test('counts once in the reports of a script', async () => {
    const script = await makeScript(site.db)
    expect((await ada.report(script)).status).toBe(201)
    await ada.returnWithNewAccount()
    expect((await ada.report(script)).body['code']).toBe('already_reported')
    const count = await query('select count(*)::int as count from reports where subject_id = $1', [script])
    expect(count).toEqual([{ count: 1 }])
  })

  test('has the former warnings', async () => {
    expect(await act({ action: 'warn_user', user_id: ada.id, reason: 'Shouting' })).toBe(200)
    await ada.returnWithNewAccount()
    const response = await site.app.inject({ url: `/api/admin-user?user_id=${ada.id}`, headers: admin })
    expect(response.json()).toMatchObject({
      user: { warning_count_active: 1 },
      sanctions: [{ kind: 'warning', reason: 'Shouting', is_active: true }],
    })
  })

  test('owns the prize of a drawn giveaway', async () => {
    const giveaway_id = await makeGiveaway(site.db, { drawn_at: new Date(), seed: 'ab'.repeat(32), entry_count: 1 })
    await site.db.insertInto('giveaway_entries').values({ giveaway_id, member_id: ada.id, place: 1 }).execute()
    await ada.returnWithNewAccount()
    const { body } = await ada.ask('GET /api/giveaways')
    const { giveaways } = body['data'] as { giveaways: { id: number; user_won: boolean }[] }
    expect(giveaways.find(({ id }) => id === giveaway_id)?.user_won).toBe(true)
  })
})

describe('a giveaway', () => {
  const countsOf = (id: number) =>
    query(
      `select entry_count, (select count(*)::int from giveaway_entries where giveaway_id = g.id) as entries
        from giveaways g where id = $1`,
      [id],
    )

  async function createGiveaway(): Promise<number> {
    const end_date = new Date(Date.now() + HOUR_MS).toISOString()
    const payload = { title: 'Keys', description: 'For two.', prize_type: 'custom', end_date, winner_count: 2 }
    const response = await site.app.inject({ method: 'POST', url: '/api/giveaways', headers: admin, payload })
    return response.json<{ giveaway: { id: number } }>().giveaway.id
  }

  test('has room for others after a member deletes the account', async () => {
    const id = await makeGiveaway(site.db, { max_entries: 1 })
    expect((await ada.enter(id)).status).toBe(200)
    await ada.returnWithNewAccount()
    expect(await countsOf(id)).toEqual([{ entry_count: 0, entries: 0 }])
    const lin = await new Person(site, 'lin').signIn()
    expect((await lin.enter(id)).status).toBe(200)
    expect((await ada.enter(id)).body['code']).toBe('giveaway_full')
  })

  test('counts its entries exactly while members enter and delete their accounts', async () => {
    const id = await makeGiveaway(site.db, { max_entries: 3 })
    const people = [ada, await new Person(site, 'lin').signIn()]
    for (let round = 0; round < 10; round++) {
      const statuses = await Promise.all([
        ...people.map(async (person) => (await person.enter(id)).status),
        ...people.map((person) => person.eraseAccount()),
      ])
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      expect(await countsOf(id)).toEqual([{ entry_count: 0, entries: 0 }])
      for (const person of people) await person.signIn()
    }
  })

  test('does not deadlock when it is drawn while its members delete their accounts', async () => {
    const people = [ada, await new Person(site, 'lin').signIn()]
    for (let round = 0; round < 10; round++) {
      const ids = [await createGiveaway(), await createGiveaway()]
      for (const id of ids) for (const person of people) expect((await person.enter(id)).status).toBe(200)
      const drawing = ids.map(async (giveaway_id) => {
        const payload = { action: 'select-winners', giveaway_id }
        return (await site.app.inject({ method: 'POST', url: '/api/giveaways', headers: admin, payload })).statusCode
      })
      const statuses = await Promise.all([...drawing, ...people.map((person) => person.eraseAccount())])
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      for (const person of people) await person.signIn()
    }
  })
})

describe('two concurrent requests', () => {
  test('sign a returning person in to one account', async () => {
    const script = await makeScript(site.db)
    await ada.rate(script, 3)
    for (let round = 0; round < 10; round++) {
      expect(await ada.eraseAccount()).toBe(200)
      const twins = [new Person(site, 'ada'), new Person(site, 'ada'), ada]
      await Promise.all(twins.map((twin) => twin.signIn()))
      expect(new Set(twins.map(({ id }) => id)).size).toBe(1)
    }
    expect((await ada.ask(`GET /api/script-rating?id=${script}`)).body).toMatchObject({
      own_rating: { rating: 3 },
      summary: { rating_count: 1 },
    })
  })

  test('rate a script and delete the account, and leave one vote', async () => {
    for (let round = 0; round < 10; round++) {
      const script = await makeScript(site.db)
      const [rated, erased] = await Promise.all([ada.rate(script, 5), ada.eraseAccount()])
      expect([rated.status < 500, erased]).toEqual([true, 200])
      await ada.signIn()
      expect((await ada.rate(script, 2)).body).toMatchObject({ summary: { rating_count: 1, average_rating: 2 } })
    }
  })
})
