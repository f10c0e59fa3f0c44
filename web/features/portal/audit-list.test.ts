import { expect, test } from 'vitest'
import { actionSentence, actionText, changesOf } from './audit-list.tsx'

test('shows an action as words', () => {
  expect(actionText('remove_moderator')).toBe('remove moderator')
  expect(actionText('admin_by_setting')).toBe('admin by setting')
})

test('describes an action in a sentence around its target', () => {
  expect(actionSentence('make_moderator')).toEqual(['made ', ' a moderator'])
  expect(actionSentence('create_giveaway')).toEqual(['created the giveaway ', ''])
  expect(actionSentence('admin_by_setting')).toEqual([
    'became an admin because the setting ADMIN_DISCORD_IDS lists them',
  ])
  expect(actionSentence('paint_fence')).toEqual(['performed “paint fence” on ', ''])
})

test('omits unchanged fields', () => {
  expect(changesOf({ title: 'Old', notes: 'same' }, { title: 'New', notes: 'same' })).toEqual([
    { name: 'title', before: 'Old', after: 'New' },
  ])
})

test('shows only one value for an added or removed field', () => {
  expect(changesOf({ banned_until: null, is_admin: true }, { banned_until: 'infinity' })).toEqual([
    { name: 'banned until', before: undefined, after: 'infinity' },
    { name: 'is admin', before: 'true', after: undefined },
  ])
})

test('shows values that are not objects', () => {
  expect(changesOf(null, undefined)).toEqual([])
  expect(changesOf([1], 'x')).toEqual([{ name: 'value', before: '[1]', after: 'x' }])
})

test('formats times', () => {
  expect(changesOf(null, { ends_at: '2026-12-21T08:47:32.580Z' })[0]?.after).toMatch(/^Dec 21, 2026, 8:47\sAM UTC$/)
})
