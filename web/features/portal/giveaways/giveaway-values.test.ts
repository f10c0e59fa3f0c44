import { expect, test } from 'vitest'
import type { Giveaway } from '#contract/giveaways.ts'
import { changeOf, validateValues, creationOf, EMPTY, localDay, valuesOf } from './giveaway-values.ts'

const giveaway: Giveaway = {
  id: 7,
  title: 'Ten keys',
  description: '',
  prize_type: 'exec_key',
  prize_description: 'A key',
  prize_value: null,
  entry_requirement: 'login',
  end_date: '2026-12-24T18:30:00.000Z',
  max_entries: null,
  entry_count: 0,
  winner_count: 10,
  is_active: true,
  is_ended: false,
  user_entered: false,
  user_won: false,
  winners: [],
  seed_sha256: '',
  drawn_at: null,
  created_at: '2026-11-21T00:00:00.000Z',
}

test('an unedited form changes nothing, including end time and prizes', () => {
  expect(changeOf(giveaway, valuesOf(giveaway))).toEqual({ id: 7 })
})

test('sends only edited fields', () => {
  const values = { ...valuesOf(giveaway), max_entries: '50', is_active: false, prize_value: 'a\nb' }
  expect(changeOf(giveaway, values)).toEqual({ id: 7, max_entries: 50, is_active: false, prize_value: 'a\nb' })
})

test('a blank limit removes the limit', () => {
  expect(changeOf({ ...giveaway, max_entries: 5 }, { ...valuesOf(giveaway), max_entries: ' ' })).toEqual({
    id: 7,
    max_entries: null,
  })
})

test("a new giveaway ends with its last day in the admin's time zone", () => {
  const { end_date, ...rest } = creationOf({ ...EMPTY, title: 'T', end_date: '2026-12-24' })
  expect(localDay(new Date(end_date))).toBe('2026-12-24')
  expect(localDay(new Date(Date.parse(end_date) + 1))).toBe('2026-12-25')
  expect(rest).not.toHaveProperty('prize_value')
  expect(rest).not.toHaveProperty('is_active')
  expect(rest.max_entries).toBeNull()
})

test('reports invalid numbers by field', () => {
  const errors = validateValues({ ...EMPTY, winner_count: '1.5', max_entries: '0' })
  expect(Object.keys(errors)).toEqual(['end_date', 'max_entries', 'winner_count'])
  expect(validateValues({ ...EMPTY, end_date: '102026-12-24' })).toEqual({ end_date: 'Choose an end date.' })
  expect(validateValues({ ...EMPTY, end_date: '2026-12-24', max_entries: '' })).toEqual({})
})
