import { expect, test } from 'vitest'
import { type BrowseState, DEFAULT_STATE, isFiltered } from './browse-state.ts'
import { chipsOf } from './chips.ts'

const state: BrowseState = {
  search: 'double jump',
  tags: ['ui', 'big maps'],
  flags: ['free_only', 'mobile_compatible'],
  sort: 'title',
  order: 'asc',
  page: 3,
}

test('there is one chip for each thing that is on', () => {
  expect(chipsOf(state).map((chip) => chip.label)).toEqual([
    '“double jump”',
    '#ui',
    '#big maps',
    'Free Scripts Only',
    'Mobile Compatible',
  ])
  expect(chipsOf(DEFAULT_STATE)).toEqual([])
})

test('a chip takes only its own thing away and leads to the first page', () => {
  const chip = chipsOf(state).find((each) => each.label === '#ui')
  expect(chip?.without).toEqual({ ...state, tags: ['big maps'], page: 1 })
})

test('removing chip after chip leaves nothing on, and the order as it was', () => {
  let rest = state
  for (let chip = chipsOf(rest)[0]; chip; chip = chipsOf(rest)[0]) rest = chip.without
  expect(isFiltered(rest)).toBe(false)
  expect(rest).toEqual({ ...DEFAULT_STATE, sort: 'title', order: 'asc' })
})
