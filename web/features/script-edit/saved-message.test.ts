import { expect, test } from 'vitest'
import type { WaitingVersion } from '#contract/versions.ts'
import { describePublished, describeSaved } from './saved-message.ts'

const held: WaitingVersion = {
  number: 2,
  version: '1.0.5',
  created_at: '2026-11-28T14:00:00.000Z',
  state: 'held',
  is_first: false,
  held: { reasons: [], confirmed_at: null, current_at: null },
}
const checking: WaitingVersion = { ...held, state: 'checking', held: null }

const listed = { is_public: true, is_unlisted: false }

test('a new script that waits is not called public', () => {
  expect(describePublished(listed, null).title).toBe('Script published')
  expect(describePublished(listed, held).title).toBe('Saved, but not public yet')
  expect(describePublished(listed, checking).title).toBe('Script saved')
  expect(describePublished({ ...listed, is_public: false }, null).text).toContain('Only you can see it')
  expect(describePublished({ ...listed, is_unlisted: true }, null).text).toContain('Everyone with the link can see it.')
})

test('a change says whether its code waits', () => {
  expect(describeSaved({ version: '1.0.4', waiting: null }, false).title).toBe('Your changes are live')
  expect(describeSaved({ version: '1.0.5', waiting: null }, true).title).toBe('Version 1.0.5 published')
  expect(describeSaved({ version: '1.0.4', waiting: held }, true)).toMatchObject({
    title: 'Version 1.0.5 waits for you',
    text: expect.stringContaining('Your other changes are live.'),
  })
  expect(describeSaved({ version: '1.0.4', waiting: checking }, true).title).toBe('Version 1.0.5 is being checked')
  // Only details were changed while a version waits.
  expect(describeSaved({ version: '1.0.4', waiting: held }, false).title).toBe('Your changes are live')
})
