import { expect, test } from 'vitest'
import { profileUrl, readProfileLocation } from './profile-url.ts'

test.each([
  ['', { tab: 'overview', page: 1 }],
  ['tab=scripts', { tab: 'scripts', page: 1 }],
  ['tab=scripts&page=3', { tab: 'scripts', page: 3 }],
  ['page=3', { tab: 'overview', page: 1 }],
  ['tab=Scripts', { tab: 'overview', page: 1 }],
  ['tab=__proto__', { tab: 'overview', page: 1 }],
  ['tab=scripts&page=0', { tab: 'scripts', page: 1 }],
  ['tab=scripts&page=1.5', { tab: 'scripts', page: 1 }],
  ['tab=scripts&page=2147483648', { tab: 'scripts', page: 1 }],
])('reads %j', (query, location) => {
  expect(readProfileLocation(new URLSearchParams(query))).toEqual(location)
})

test.each([
  [undefined, '/profile/caf%C3%A9'],
  [{ tab: 'overview', page: 1 } as const, '/profile/caf%C3%A9'],
  [{ tab: 'scripts', page: 1 } as const, '/profile/caf%C3%A9?tab=scripts'],
  [{ tab: 'scripts', page: 2 } as const, '/profile/caf%C3%A9?tab=scripts&page=2'],
])('writes %j as %s', (location, url) => {
  expect(profileUrl('café', location)).toBe(url)
})
