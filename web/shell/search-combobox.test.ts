import { describe, expect, test } from 'vitest'
import { type ComboboxState, nextIndex, readKey, reduceCombobox } from './search-combobox.ts'

test.each([
  [-1, 1, 3, 0],
  [0, 1, 3, 1],
  [2, 1, 3, -1],
  [-1, -1, 3, 2],
  [0, -1, 3, -1],
  [-1, 1, 0, -1],
  [-1, -1, 0, -1],
] as const)('from option %i by %i of %i, the arrow keys move to %i', (index, step, length, next) => {
  expect(nextIndex(index, step, length)).toBe(next)
})

const state: ComboboxState = { isOpen: true, activeKey: 'tag 1', recent: ['lamp'] }

describe('the list', () => {
  test('opens without an active option when text is typed', () => {
    expect(reduceCombobox({ ...state, isOpen: false }, { type: 'type' })).toEqual({ ...state, activeKey: undefined })
  })

  test('opens with the newest searches when the field gets the focus', () => {
    const closed = { ...state, isOpen: false, activeKey: undefined }
    const recent = ['door', 'lamp']
    expect(reduceCombobox(closed, { type: 'focus', recent })).toEqual({ isOpen: true, activeKey: undefined, recent })
  })

  test('closes without an active option', () => {
    expect(reduceCombobox(state, { type: 'close' })).toEqual({ ...state, isOpen: false, activeKey: undefined })
  })

  test('stays open when searches are forgotten', () => {
    expect(reduceCombobox(state, { type: 'forget' })).toEqual({ ...state, recent: [] })
  })
})

describe('keys', () => {
  const keys = ['a', 'b']

  test('arrows activate an option, also while the list is closed', () => {
    expect(readKey('ArrowDown', { keys, isShown: false, active: -1 })).toEqual({ type: 'activate', key: 'a' })
    expect(readKey('ArrowUp', { keys, isShown: true, active: 0 })).toEqual({ type: 'activate', key: undefined })
  })

  test('Escape closes the list, then leaves the field', () => {
    expect(readKey('Escape', { keys, isShown: true, active: 1 })).toEqual({ type: 'close' })
    expect(readKey('Escape', { keys, isShown: false, active: -1 })).toBe('leave')
  })

  test('Enter chooses the active option, and otherwise sends the form', () => {
    expect(readKey('Enter', { keys, isShown: true, active: 1 })).toBe('choose')
    expect(readKey('Enter', { keys, isShown: true, active: -1 })).toBeUndefined()
  })

  test('other keys are left to the browser', () => {
    expect(readKey('Tab', { keys, isShown: true, active: 1 })).toBeUndefined()
  })
})
