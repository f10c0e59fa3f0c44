import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'

let site: TestApp
let admin: Record<string, string>

beforeAll(async () => {
  site = await createTestApp()
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

const call = (method: 'POST' | 'PUT' | 'DELETE', payload: object) =>
  site.app.inject({ method, url: '/api/giveaways', headers: admin, payload })
const DAY_MS = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const validInput = { title: 'Three keys', end_date: dayFromNow(7) }

const create = async (input: object = {}): Promise<number> =>
  (await call('POST', { ...validInput, ...input })).json().giveaway.id

async function countRows() {
  const { rows } = await site.pool.query(
    'select (select count(*) from giveaways) as giveaways, (select count(*) from audit_log) as audit_entries',
  )
  return rows[0]
}

test('creates a giveaway from a title and an end date, with default values', async () => {
  const response = await call('POST', validInput)
  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({
    message: 'Giveaway created successfully',
    giveaway: {
      ...validInput,
      end_date: `${validInput.end_date}T23:59:59.999Z`,
      prize_type: 'custom',
      entry_requirement: 'login',
      winner_count: 1,
      max_entries: null,
      entry_count: 0,
      is_active: true,
      is_ended: false,
      seed_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
})

test('takes the values of a form as text, and surplus fields', async () => {
  const form = { winner_count: '2', max_entries: '', end_date: `${dayFromNow(7)}T23:59:59`, is_active: false }
  const response = await call('POST', {
    ...validInput,
    ...form,
    prize_type: '',
    id: '',
    user_entered: false,
    seed: 'ab',
  })
  expect([response.statusCode, response.json().giveaway]).toMatchObject([
    201,
    {
      winner_count: 2,
      max_entries: null,
      end_date: `${dayFromNow(7)}T23:59:59.000Z`,
      is_active: false,
      prize_type: 'custom',
    },
  ])
  const { id } = response.json().giveaway
  const changed = await call('PUT', {
    id: String(id),
    max_entries: '5',
    winner_count: '',
    is_active: true,
    entry_count: 3,
  })
  expect(changed.json().giveaway).toMatchObject({ max_entries: 5, winner_count: 2, is_active: true, entry_count: 0 })
  const { giveaways, data } = (await site.app.inject({ url: '/api/giveaways?admin=true', headers: admin })).json()
  expect(giveaways).toEqual(data.giveaways)
  expect((await site.app.inject('/api/giveaways')).json()).not.toHaveProperty('giveaways')
})

test('accepts an end date of today', async () => {
  expect((await call('POST', { ...validInput, end_date: dayFromNow(0) })).statusCode).toBe(201)
})

describe('rejects with an error on the field', () => {
  test.each([
    ['title', { title: '' }],
    ['title', { title: '   ' }],
    ['title', { title: 'x'.repeat(101) }],
    ['title', { title: undefined }],
    ['title', { title: 'a\u0007b' }],
    ['description', { description: 'x'.repeat(5001) }],
    ['end_date', { end_date: undefined }],
    ['end_date', { end_date: dayFromNow(-1) }],
    ['end_date', { end_date: 'soon' }],
    ['end_date', { end_date: '2030-02-31T00' }],
    ['end_date', { end_date: '9999-01-01' }],
    ['end_date', { end_date: '2030-02-30T10:00:00Z' }],
    ['end_date', { end_date: '2030-13-01' }],
    ['end_date', { end_date: '2030-01-31T24:00:00Z' }],
    ['end_date', { end_date: '102030-01-31' }],
    ['winner_count', { winner_count: 0 }],
    ['winner_count', { winner_count: 51 }],
    ['winner_count', { winner_count: 1.5 }],
    ['winner_count', { winner_count: 'one' }],
    ['max_entries', { max_entries: 0 }],
    ['max_entries', { max_entries: -1 }],
    ['prize_type', { prize_type: 'gold' }],
    ['prize_value', { prize_type: 'exec_key' }],
    ['prize_value', { prize_type: 'exec_key', prize_value: 'ONE\n\nTWO\n  ', winner_count: 3 }],
    ['entry_requirement', { entry_requirement: 'rich' }],
    ['is_active', { is_active: 'no' }],
  ])('%s: %j', async (field, input) => {
    const before = await countRows()
    const response = await call('POST', { ...validInput, ...input })
    expect(response.statusCode).toBe(400)
    expect(Object.keys(response.json().fields)).toContain(field)
    expect(response.body).not.toContain('TWO')
    expect(await countRows()).toEqual(before)
  })
})

test.each([
  [{ winner_count: 51 }, 'Winners must be at most 50.'],
  [{ winner_count: 1.5 }, 'Winners must be a whole number.'],
  [{ max_entries: 0 }, 'Max entries must be at least 1.'],
  [{ end_date: dayFromNow(-1) }, 'End date must not be in the past.'],
  [{ end_date: undefined }, 'End date is required.'],
  [{ prize_type: 'exec_key' }, 'Enter one key per winner: there are 0 keys for 1 winner.'],
  [
    { prize_type: 'exec_key', prize_value: 'ONE', winner_count: 3 },
    'Enter one key per winner: there is 1 key for 3 winners.',
  ],
  [{ end_date: '' }, 'Choose an end date.'],
  [{ end_date: 'soon' }, 'End date must be a day such as 2030-01-31, or a time.'],
  [{ end_date: '2101-01-01' }, 'End date must not be after the year 2100.'],
  [{ title: '' }, 'Title must not be empty.'],
  [{ prize_type: 'gold' }, 'Prize type has an unknown value.'],
])('explains the error in %j with the labels of the form', async (input, sentence) => {
  const { error, fields } = (await call('POST', { ...validInput, ...input })).json()
  expect([error, Object.values(fields)]).toEqual([sentence, [sentence]])
})

test('changes only the fields in the form and keeps the prizes', async () => {
  const id = await create({ prize_type: 'exec_key', prize_value: 'K1', description: 'Old' })
  const response = await call('PUT', { id, title: 'New', max_entries: 9, is_active: false })
  expect(response.json()).toMatchObject({
    message: 'Giveaway updated successfully',
    giveaway: { id, title: 'New', description: 'Old', max_entries: 9, is_active: false, prize_value: null },
  })
  const prizes = await site.app.inject({ url: `/api/giveaway-prizes?id=${id}`, headers: admin })
  expect(prizes.json().prize_value).toBe('K1')
})

describe('rejects a change', () => {
  test('of the maximum to less than the number of entries', async () => {
    const id = await create()
    await site.db.updateTable('giveaways').set({ entry_count: 3 }).where('id', '=', id).execute()
    expect((await call('PUT', { id, max_entries: 2 })).json().fields).toHaveProperty('max_entries')
    expect((await call('PUT', { id, max_entries: 3 })).statusCode).toBe(200)
  })

  test('to more winners than keys', async () => {
    const id = await create({ prize_type: 'exec_key', prize_value: 'K1' })
    const response = await call('PUT', { id, winner_count: 2 })
    expect(response.json().fields).toHaveProperty('prize_value')
    expect(response.body).not.toContain('K1')
  })

  test('of the winner count after the draw', async () => {
    const id = await create()
    await site.db
      .updateTable('giveaways')
      .set({ drawn_at: new Date(), seed: 'ab'.repeat(32) })
      .where('id', '=', id)
      .execute()
    expect((await call('PUT', { id, winner_count: 2 })).json().code).toBe('already_drawn')
    expect((await call('PUT', { id, title: 'Thanks' })).statusCode).toBe(200)
  })

  test('of an unknown giveaway', async () => {
    expect((await call('PUT', { id: 2_000_000, title: 'x' })).statusCode).toBe(404)
  })
})

test('deletes a giveaway by the id in the body or query, once', async () => {
  const id = await create()
  expect((await call('DELETE', { id })).json()).toEqual({ message: 'Giveaway deleted successfully' })
  expect((await call('DELETE', { id })).statusCode).toBe(404)
  const other = await create()
  const response = await site.app.inject({ method: 'DELETE', url: `/api/giveaways?id=${other}`, headers: admin })
  expect(response.statusCode).toBe(200)
  const withoutId = await site.app.inject({ method: 'DELETE', url: '/api/giveaways', headers: admin })
  expect([withoutId.statusCode, withoutId.json().fields]).toEqual([400, { id: 'ID is required.' }])
})

test('lists inactive giveaways only to admins', async () => {
  const id = await create({ title: 'Hidden' })
  await call('PUT', { id, is_active: false })
  const isListed = async (query: string, headers = {}) => {
    const response = await site.app.inject({ url: `/api/giveaways${query}`, headers })
    return (response.json().data.giveaways as { id: number }[]).some((giveaway) => giveaway.id === id)
  }
  expect(await isListed('')).toBe(false)
  expect(await isListed('', admin)).toBe(false)
  expect(await isListed('?admin=true&status=all', admin)).toBe(true)
  expect(await isListed('?admin=true&status=inactive', admin)).toBe(true)
  expect(await isListed('?admin=true&status=active', admin)).toBe(false)
})

test('records each action in the audit log', async () => {
  const id = await create()
  await call('PUT', { id, title: 'Renamed' })
  await call('DELETE', { id })
  const rows = await site.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject_id', '=', id)
    .where('subject_type', '=', 'giveaway')
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual(['create_giveaway', 'edit_giveaway', 'delete_giveaway'])
  expect(rows[1]).toMatchObject({ before: { title: 'Three keys' }, after: { title: 'Renamed' } })
})
