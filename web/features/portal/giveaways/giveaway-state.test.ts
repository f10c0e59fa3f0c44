import { expect, test } from 'vitest'
import { canDraw, canSelectWinners, stateOf } from './giveaway-state.ts'

const running = { is_ended: false, is_active: true, entry_count: 3, drawn_at: null }
const ended = { ...running, is_ended: true }

test('ended takes precedence over active and inactive', () => {
  expect([ended, running, { ...running, is_active: false }].map((one) => stateOf(one).label)).toEqual([
    'Ended',
    'Active',
    'Inactive',
  ])
})

test('winners can be selected while the giveaway is running and has entries', () => {
  expect(canSelectWinners(running)).toBe(true)
  expect(canSelectWinners({ ...running, is_active: false })).toBe(true)
  expect(canSelectWinners({ ...running, entry_count: 0 })).toBe(false)
  expect(canSelectWinners(ended)).toBe(false)
})

test('an ended giveaway with entries can be drawn once', () => {
  expect(canDraw(ended)).toBe(true)
  expect(canDraw({ ...ended, drawn_at: '2026-11-21T00:00:00Z' })).toBe(false)
  expect(canDraw({ ...ended, entry_count: 0 })).toBe(false)
  expect(canDraw(running)).toBe(false)
})
