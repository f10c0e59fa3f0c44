import { expect, test } from 'vitest'
import { changesOf, actionText } from './audit-words.ts'

test('a deed reads as words', () => {
  expect(actionText('remove_moderator')).toBe('remove moderator')
})

test('what stayed the same is not told', () => {
  expect(changesOf({ title: 'Old', notes: 'same' }, { title: 'New', notes: 'same' })).toEqual([
    { name: 'title', before: 'Old', after: 'New' },
  ])
})

test('what came and what went is told with one side alone', () => {
  expect(changesOf({ banned_until: null, is_admin: true }, { banned_until: 'infinity' })).toEqual([
    { name: 'banned until', before: undefined, after: 'infinity' },
    { name: 'is admin', before: 'true', after: undefined },
  ])
})

test('odd rows are told as they are', () => {
  expect(changesOf(null, undefined)).toEqual([])
  expect(changesOf([1], 'x')).toEqual([{ name: 'value', before: '[1]', after: 'x' }])
})

test('a time is told as one reads it', () => {
  expect(changesOf(null, { ends_at: '2026-12-21T08:47:32.580Z' })[0]?.after).toMatch(/^Dec 21, 2026, 8:47\sAM UTC$/)
})
