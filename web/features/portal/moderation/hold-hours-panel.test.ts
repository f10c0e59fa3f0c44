import { expect, test } from 'vitest'
import { readHours } from './hold-hours-panel.tsx'

test('hours are whole numbers from 0 to 168', () => {
  expect([' 0 ', '24', '168'].map(readHours)).toEqual([0, 24, 168])
  expect(['', '-1', '1.5', '169', '1e2', 'a day'].map(readHours)).toEqual(Array(6).fill(undefined))
})
