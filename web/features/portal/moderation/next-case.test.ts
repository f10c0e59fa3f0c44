import { expect, test } from 'vitest'
import { findNext } from './next-case.ts'

const cases = (...ids: number[]) => ids.map((id) => ({ id }))

test('the next case has the position of a decided one that left the list', () => {
  expect(findNext(cases(1, 3), { id: 2, index: 1 })?.id).toBe(3)
})

test('after a decided case that stays in the list comes the one below it', () => {
  expect(findNext(cases(1, 2, 3), { id: 2, index: 1 })?.id).toBe(3)
})

test('after the last one comes the one above, and nothing after the only one', () => {
  expect(findNext(cases(1, 2), { id: 3, index: 2 })?.id).toBe(2)
  expect(findNext(cases(1, 2), { id: 2, index: 1 })?.id).toBe(1)
  expect(findNext(cases(), { id: 1, index: 0 })).toBeUndefined()
  expect(findNext(cases(1), { id: 1, index: 0 })).toBeUndefined()
})
