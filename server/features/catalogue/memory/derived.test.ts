import { expect, test } from 'vitest'
import { DerivedSets } from './derived.ts'

const bits = () => new Uint32Array(4)
const nobody = () => false

test('keeps what is used up to its bounds', () => {
  const sets = new DerivedSets(4)
  sets.add('often', bits(), nobody)
  for (let at = 0; at < 50; at++) {
    sets.add(`once ${at}`, bits(), nobody)
    expect(sets.size).toBeLessThanOrEqual(4)
    expect(sets.get('often')).toBeDefined()
  }
  expect(sets.get('once 0')).toBeUndefined()
})

test('lets a new one in although all others are used', () => {
  const sets = new DerivedSets(3)
  for (const key of ['a', 'b', 'c', 'd']) {
    sets.add(key, bits(), nobody)
    expect(sets.get(key)).toBeDefined()
  }
  expect(['a', 'b', 'c', 'd'].filter((key) => sets.get(key) !== undefined)).toHaveLength(3)
})
