import { describe, expect, test } from 'vitest'
import type { HoldReason, WaitingVersion } from '#contract/versions.ts'
import { confirmedUntil, describeWaiting, groupByLine, lineOf, titleOf } from './waiting-view.ts'

const reason: HoldReason = { id: 'net.webhook', host: 'discord.com', line: 93, detail: null }
const waiting: WaitingVersion = {
  number: 5,
  version: '1.0.5',
  created_at: '2026-11-28T14:00:00.000Z',
  state: 'held',
  is_first: false,
  held: { reasons: [reason], confirmed_at: null, current_at: null },
}

describe('the line about a version that waits', () => {
  test('has no time until the author has confirmed it', () => {
    expect(describeWaiting(waiting)).toBe('waits: it would start to send messages to a Discord webhook, line 93.')
  })

  test('says until when it waits', () => {
    const held = { reasons: [reason], confirmed_at: waiting.created_at, current_at: '2026-11-29T14:00:00.000Z' }
    expect(describeWaiting({ ...waiting, held })).toBe(
      'waits until Nov 29, 2026, 2:00 PM UTC: it would start to send messages to a Discord webhook, line 93.',
    )
  })

  test('says that it is being checked', () => {
    expect(describeWaiting({ ...waiting, state: 'checking', held: null })).toBe('is being checked.')
  })

  test('of a first version compares with nothing', () => {
    expect(describeWaiting({ ...waiting, is_first: true })).toContain('it would send messages')
  })
})

test('a reason has a heading', () => {
  expect(titleOf(reason)).toBe('Would send messages to a Discord webhook')
  expect(titleOf({ ...reason, id: 'check_failed' })).toBe('It could not be checked')
})

test('the line of a reason is trimmed, shortened and may be missing', () => {
  expect(lineOf('a\r\n  b()  \n', 2)).toBe('b()')
  expect(lineOf('a', 2)).toBeUndefined()
  expect(lineOf('a', null)).toBeUndefined()
  expect(lineOf(undefined, 1)).toBeUndefined()
  expect(lineOf('x'.repeat(1000), 1)).toHaveLength(301)
})

test('a version that is confirmed late becomes current at once', () => {
  const created = '2026-11-28T14:00:00.000Z'
  expect(confirmedUntil(created, 24, Date.parse(created))).toBe('2026-11-29T14:00:00.000Z')
  expect(confirmedUntil(created, 24, Date.parse('2026-11-29T14:00:00.000Z'))).toBeUndefined()
  expect(confirmedUntil(created, 0, Date.parse(created))).toBeUndefined()
})

test('reasons about one line are shown together', () => {
  const secret: HoldReason = { ...reason, id: 'shape.secret', host: null }
  const other: HoldReason = { ...reason, line: 7 }
  expect(groupByLine([reason, other, secret])).toEqual([
    { line: 93, reasons: [reason, secret] },
    { line: 7, reasons: [other] },
  ])
})
