import { describe, expect, test } from 'vitest'
import { chipsOf, describeCatalogue, describePage, describeResults } from './browse-labels.ts'
import { type BrowseState, DEFAULT_STATE, isFiltered, readBrowse } from './browse-state.ts'

const state: BrowseState = {
  search: 'double jump',
  tags: ['ui', 'big maps'],
  flags: ['free_only', 'mobile_compatible'],
  uses: ['net.webhook'],
  lacks: ['code.remote'],
  hosts: ['discord.com'],
  sort: 'title',
  order: 'asc',
  page: 3,
}

describe('chipsOf', () => {
  test('returns one chip per active filter', () => {
    expect(chipsOf(state).map((chip) => chip.label)).toEqual([
      '“double jump”',
      '#ui',
      '#big maps',
      'Free Scripts Only',
      'Mobile Compatible',
      'Sends messages to a webhook',
      'Not: Runs downloaded code',
      'Contacts discord.com',
    ])
    expect(chipsOf(DEFAULT_STATE)).toEqual([])
  })

  test('removes only its own filter and returns to page 1', () => {
    const chip = chipsOf(state).find((each) => each.label === '#ui')
    expect(chip?.without).toEqual({ ...state, tags: ['big maps'], page: 1 })
  })

  test('clears all filters but keeps the sort when every chip is removed', () => {
    let rest = state
    for (let chip = chipsOf(rest)[0]; chip; chip = chipsOf(rest)[0]) rest = chip.without
    expect(isFiltered(rest)).toBe(false)
    expect(rest).toEqual({ ...DEFAULT_STATE, sort: 'title', order: 'asc' })
  })
})

test.each([
  [{}, 'Community scripts for Roblox'],
  [{ page: 3 }, 'Community scripts for Roblox · Page 3'],
  [{ search: 'jump', tags: ['ui'], flags: ['free_only'] } as const, 'Scripts: “jump”, #ui, Free Scripts Only'],
])('describePage titles %j as %j', (changes, title) => {
  expect(describePage({ ...DEFAULT_STATE, ...changes }).title).toBe(title)
})

test.each([
  [{ page: 1, limit: 20, total: 0, pages: 0 }, '0 scripts'],
  [{ page: 1, limit: 20, total: 1, pages: 1 }, '1 script'],
  [{ page: 1, limit: 20, total: 20, pages: 1 }, '20 scripts'],
  [{ page: 1, limit: 20, total: 21, pages: 2 }, '1–20 of 21 scripts'],
  [{ page: 2, limit: 20, total: 21, pages: 2 }, '21–21 of 21 scripts'],
  [{ page: 50_000, limit: 20, total: 1_000_000, pages: 50_000 }, '999,981–1,000,000 of 1,000,000 scripts'],
  [{ page: 9, limit: 20, total: 21, pages: 2 }, '21 scripts'],
])('describeResults describes %j as %j', (pagination, text) => {
  expect(describeResults(pagination)).toBe(text)
})

test('the heading says how many scripts are checked, or what the list is filtered by', () => {
  const all = readBrowse(new URLSearchParams(''))
  const titles = [undefined, 0, 1, 1234].map((total) => describeCatalogue(all, total))
  expect(titles).toEqual([
    'Scripts, each checked line by line',
    'Scripts, each checked line by line',
    '1 script, checked line by line',
    '1,234 scripts, each checked line by line',
  ])
  expect(describeCatalogue(readBrowse(new URLSearchParams('tags=ui&page=2')), 30)).toBe('Scripts: #ui')
})
