import { expect, test } from 'vitest'
import { itemForKey } from './menu.tsx'

const entries = ['profile', 'settings', 'log out']

test.each([
  ['ArrowDown', 'profile', 'settings'],
  ['ArrowDown', 'log out', 'profile'],
  ['ArrowDown', undefined, 'profile'],
  ['ArrowUp', 'settings', 'profile'],
  ['ArrowUp', 'profile', 'log out'],
  ['ArrowUp', undefined, 'log out'],
  ['Home', 'log out', 'profile'],
  ['End', 'profile', 'log out'],
  ['a', 'profile', undefined],
])('%s moves from %s to %s', (key, from, to) => {
  expect(itemForKey(entries, from, key)).toBe(to)
})

test('returns undefined in an empty menu', () => {
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => itemForKey([], undefined, key))).toEqual(
    Array(4).fill(undefined),
  )
})
