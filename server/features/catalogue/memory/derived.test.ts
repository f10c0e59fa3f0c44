import { expect, test } from 'vitest'
import { DerivedSets } from './derived.ts'
import type { IndexRow } from './row.ts'

const bits = () => new Uint32Array(4)
const nobody = { isIn: () => false, byCounts: false }

test('keeps what is used up to its bounds', () => {
  const sets = new DerivedSets({ most: 4 })
  sets.add('often', bits(), nobody)
  for (let at = 0; at < 50; at++) {
    sets.add(`once ${at}`, bits(), nobody)
    expect(sets.size).toBeLessThanOrEqual(4)
    expect(sets.get('often')).toBeDefined()
  }
  expect(sets.get('once 0')).toBeUndefined()
})

test('lets a new one in although all others are used', () => {
  const sets = new DerivedSets({ most: 3 })
  for (const key of ['a', 'b', 'c', 'd']) {
    sets.add(key, bits(), nobody)
    expect(sets.get(key)).toBeDefined()
  }
  expect(['a', 'b', 'c', 'd'].filter((key) => sets.get(key) !== undefined)).toHaveLength(3)
})

test('is bounded in bytes too, also when a set grows', () => {
  const sets = new DerivedSets({ most: 100, mostBytes: 100 })
  const full = () => bits().fill(~0)
  for (let at = 0; at < 20; at++) sets.add(`${at}`, full(), nobody)
  expect(sets.size).toBe(6)
  sets.delete('19')
  sets.add('grows', full(), { isIn: () => true, byCounts: false })
  sets.update(10_000, { id: 10_000 } as IndexRow, true)
  sets.add('new', full(), nobody)
  expect([sets.get('new'), sets.get('grows')?.count, sets.size]).toEqual([{ count: 128, bits: full() }, undefined, 1])
})

test('some may be large in a large catalogue, whatever their bytes', () => {
  const sets = new DerivedSets({ most: 100, mostBytes: 100, leastFull: 3 })
  for (let at = 0; at < 20; at++) sets.add(`${at}`, new Uint32Array(100).fill(~0), nobody)
  expect(sets.size).toBe(3)
})

test('a script that changed in counts alone is looked at again only where counts decide', () => {
  const sets = new DerivedSets({ most: 4 })
  sets.add('by terms', bits(), { isIn: () => true, byCounts: false })
  sets.add('by counts', bits(), { isIn: ({ views }) => views > 10, byCounts: true })
  const counts = () => ['by terms', 'by counts'].map((key) => sets.get(key)?.count)
  sets.update(5, { views: 11 } as IndexRow, false)
  expect(counts()).toEqual([0, 1])
  sets.update(5, { views: 11 } as IndexRow, true)
  expect(counts()).toEqual([1, 1])
  sets.update(5, undefined, true)
  expect(counts()).toEqual([0, 0])
})
