import { expect, test } from 'vitest'
import { placementsAfter } from './owner-tools.tsx'

const items = (...ids: number[]) => ids.map((id) => ({ script: { id } }))

test('a moved script is placed before the one that follows it', () => {
  expect(placementsAfter(items(3, 1, 2), 0)).toEqual([{ script_id: 3, before_script_id: 1 }])
})

test('a script moved to the end of its page goes before the former last one, which then goes before it', () => {
  expect(placementsAfter(items(2, 3, 1), 2)).toEqual([
    { script_id: 1, before_script_id: 3 },
    { script_id: 3, before_script_id: 1 },
  ])
})

test('the only script of a page is placed at the end', () => {
  expect(placementsAfter(items(1), 0)).toEqual([{ script_id: 1, before_script_id: null }])
})
