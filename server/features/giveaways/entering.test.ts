import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { repetitions } from '#tests/support/seed.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

const enter = async (giveawayId: number, headers: Record<string, string>) => {
  const payload = { action: 'enter', giveaway_id: giveawayId }
  return site.app.inject({ method: 'POST', url: '/api/giveaways', headers, payload })
}

async function countEntries(giveawayId: number) {
  const { entry_count } = await site.db
    .selectFrom('giveaways')
    .select('entry_count')
    .where('id', '=', giveawayId)
    .executeTakeFirstOrThrow()
  const rows = await site.db
    .selectFrom('giveaway_entries')
    .select('member_id')
    .where('giveaway_id', '=', giveawayId)
    .execute()
  return { entry_count, rows: rows.length, members: new Set(rows.map((row) => row.member_id)).size }
}

test('records an entry and confirms it', async () => {
  const id = await makeGiveaway(site.db)
  const response = await enter(id, await signIn(site.db))
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({
    message: 'Successfully entered giveaway! Good luck!',
    giveaway: { id, entry_count: 1, user_entered: true, user_won: false, prize_value: null },
  })
})

describe('rejects', () => {
  const past = new Date(Date.now() - 1000)
  test.each([
    ['an ended giveaway', { end_date: past }, 409, 'giveaway_ended'],
    ['a drawn giveaway', { drawn_at: past, seed: 'ab'.repeat(32) }, 409, 'giveaway_ended'],
    ['an inactive giveaway', { is_active: false }, 404, 'giveaway_not_found'],
    ['a full giveaway', { max_entries: 1, entry_count: 1 }, 409, 'giveaway_full'],
    ['an unverified member', { entry_requirement: 'verified' }, 403, 'email_not_verified'],
  ])('%s', async (_name, input, status, code) => {
    const giveawayId = await makeGiveaway(site.db, input)
    const before = await countEntries(giveawayId)
    const response = await enter(giveawayId, await signIn(site.db))
    expect([response.statusCode, response.json().code]).toEqual([status, code])
    expect(await countEntries(giveawayId)).toEqual(before)
  })

  test('an unknown giveaway', async () => {
    const response = await enter(2_000_000, await signIn(site.db))
    expect([response.statusCode, response.json().code]).toEqual([404, 'giveaway_not_found'])
  })

  test('a second entry', async () => {
    const id = await makeGiveaway(site.db)
    const headers = await signIn(site.db)
    await enter(id, headers)
    const response = await enter(id, headers)
    expect([response.statusCode, response.json().code]).toEqual([409, 'already_entered'])
    expect(await countEntries(id)).toEqual({ entry_count: 1, rows: 1, members: 1 })
  })

  test.each([{}, { action: 'enter' }, { action: 'enter', giveaway_id: 'x' }, { action: 'join', giveaway_id: 1 }])(
    'the request %j with 400',
    async (payload) => {
      const headers = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
      const response = await site.app.inject({ method: 'POST', url: '/api/giveaways', headers, payload })
      expect(response.statusCode).toBe(400)
      expect(Object.keys(response.json().fields)).not.toEqual([])
    },
  )
})

test('accepts a verified member if that is required, even if muted', async () => {
  const id = await makeGiveaway(site.db, { entry_requirement: 'verified' })
  const verified = await makeMember(site.db, { email_verified: true, muted_until: 'infinity' })
  expect((await enter(id, await signIn(site.db, verified))).statusCode).toBe(200)
})

describe('concurrent entries', () => {
  test('200 members for 50 slots result in exactly 50 entries', async () => {
    const headers = await Promise.all(Array.from({ length: 200 }, () => signIn(site.db)))
    for (let round = 0; round < repetitions(2, 5); round++) {
      const id = await makeGiveaway(site.db, { max_entries: 50 })
      const responses = await Promise.all(headers.map((entrant) => enter(id, entrant)))
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50)
      expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(150)
      expect(await countEntries(id)).toEqual({ entry_count: 50, rows: 50, members: 50 })
    }
  })

  test('200 requests by one member result in one entry', async () => {
    const headers = await signIn(site.db)
    const id = await makeGiveaway(site.db)
    const responses = await Promise.all(Array.from({ length: 200 }, () => enter(id, headers)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await countEntries(id)).toEqual({ entry_count: 1, rows: 1, members: 1 })
  })

  test('no entry is added after a ban is acknowledged', async () => {
    for (let round = 0; round < 10; round++) {
      const memberId = await makeMember(site.db)
      const headers = await signIn(site.db, memberId)
      const giveaways = await Promise.all(Array.from({ length: 5 }, () => makeGiveaway(site.db)))
      const entering = giveaways.map((id) => enter(id, headers))
      await site.db.updateTable('members').set({ banned_until: 'infinity' }).where('id', '=', memberId).execute()
      const atBan = await site.db
        .selectFrom('giveaway_entries')
        .select('id')
        .where('member_id', '=', memberId)
        .execute()
      await Promise.all(entering)
      const after = await site.db
        .selectFrom('giveaway_entries')
        .select('id')
        .where('member_id', '=', memberId)
        .execute()
      expect(after).toEqual(atBan)
    }
  })
})
