import { describe, expect, test } from 'vitest'
import type { CurrentUser } from '#contract/accounts.ts'
import type { SessionState } from '#web/lib/session.tsx'
import { listCommands, matchCommands } from './commands.ts'

const nothing = async () => {}
const user: CurrentUser = {
  id: 1,
  username: 'lin',
  slug: 'lin',
  display_name: null,
  email: null,
  discord_id: '1',
  avatar: null,
  discriminator: '0',
  profile_image: null,
  created_at: '2026-01-01T00:00:00.000Z',
  avatar_url: '',
  is_admin: false,
  is_moderator: false,
}

const commandsFor = (state: SessionState) =>
  listCommands({
    session: { ...state, signIn: nothing, signOut: nothing, refresh: nothing },
    theme: 'dark',
    openHelp: () => {},
  })
const visitor = commandsFor({ status: 'anonymous' })
const member = commandsFor({ status: 'member', user })
const labels = (search: string, commands = visitor) => matchCommands(search, commands).map(({ label }) => label)

describe('a text offers', () => {
  test.each([
    ['pop', ['Popular']],
    ['the light', ['Switch to the light theme']],
    ['theme', ['Switch to the system theme', 'Switch to the light theme']],
    ['LOGIN', ['Sign in with Discord']],
    ['log in', ['Sign in with Discord']],
    ['keyboard', ['Keyboard shortcuts']],
    ['opular', []],
    ['popular lamp', []],
    ['', []],
  ])('%j: %j', (search, expected) => {
    expect(labels(search)).toEqual(expected)
  })
})

test('members find their pages, visitors do not', () => {
  expect(labels('sett', member)).toEqual(['Settings'])
  expect(labels('sett')).toEqual([])
  expect(labels('log out', member)).toEqual(['Sign out'])
  expect(labels('sign in', member)).toEqual([])
})

test('a page is offered once, and never more than five', () => {
  const targets = member.flatMap(({ target }) => (typeof target === 'string' ? [target] : []))
  expect(targets).toEqual([...new Set(targets)])
  expect(labels('s', member)).toHaveLength(5)
})

test('the session is not offered while it is unknown', () => {
  expect(labels('sign', commandsFor({ status: 'loading' }))).toEqual([])
})
