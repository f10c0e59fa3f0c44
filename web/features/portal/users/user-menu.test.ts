import { PERMANENT_EXPIRY } from '#contract/limits.ts'
import { expect, test } from 'vitest'
import { isMuted, roleOf, statusOf } from './user-menu.tsx'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const LATER = '2026-11-21T12:00:01Z'
const plain = { is_banned: false, mute_expires_at: null, is_admin: false, is_moderator: false }

test.each([
  ['Banned', { is_banned: true, mute_expires_at: LATER, is_admin: true, is_moderator: true }],
  ['Muted', { ...plain, mute_expires_at: LATER, is_admin: true, is_moderator: true }],
  ['Admin', { ...plain, is_admin: true, is_moderator: true }],
  ['Moderator', { ...plain, is_moderator: true }],
  ['Active', plain],
])('%s takes precedence over the statuses after it', (label, user) => {
  expect(statusOf(user, NOW).label).toBe(label)
})

test('a mute ends exactly at its end time', () => {
  expect(isMuted({ mute_expires_at: LATER }, NOW)).toBe(true)
  expect(isMuted({ mute_expires_at: LATER }, Date.parse(LATER))).toBe(false)
  expect(isMuted({ mute_expires_at: PERMANENT_EXPIRY }, NOW)).toBe(true)
})

test('shows an admin who is also a moderator as an admin', () => {
  expect([
    roleOf({ is_admin: true, is_moderator: true }),
    roleOf({ ...plain, is_moderator: true }),
    roleOf(plain),
  ]).toEqual(['Admin', 'Moderator', 'User'])
})
