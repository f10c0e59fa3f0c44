import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortNumbers } from './sort-numbers.ts'

const few = fc.constantFrom(-Infinity, Infinity, -1, -0, 0, 0.5, 1, 2, 2 ** 51)
const any = fc.double({ noNaN: true })

/** Some order of their own, for those of equal keys. */
const mixed = (number: number) => Math.imul(number, 0x9e3779b1)
const writing = (keys: readonly number[]) => (numbers: Uint32Array, into: Float64Array) =>
  numbers.forEach((number, at) => void (into[at] = keys[number] ?? 0))

test.each([
  ['few keys, so that many are equal', few],
  ['any keys', any],
])('they are sorted by their keys, and by comparison where two are equal: %s', (_, key) => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 400 }), fc.boolean(), (given, isMixed) => {
      const compare = (one: number, other: number) => (isMixed ? mixed(one) - mixed(other) : one - other)
      const sorted = sortNumbers(Uint32Array.from(given.keys()), { compare, writeKeys: writing(given) })
      const expected = [...given.entries()].toSorted(([one, a], [other, b]) =>
        a === b ? compare(one, other) : a < b ? -1 : 1,
      )
      expect([...sorted]).toEqual(expected.map(([number]) => number))
    }),
  )
})

test('numbers between which others are missing are sorted alone', () => {
  const keys = Array.from({ length: 50_000 }, (_, number) => mixed(number) % 1000)
  const numbers = Uint32Array.from({ length: 20_000 }, (_, at) => at * 2 + 1)
  const expected = [...numbers].toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || other - one)
  const sorted = sortNumbers(numbers, { compare: (one, other) => other - one, writeKeys: writing(keys) })
  expect([...sorted]).toEqual(expected)
  expect(numbers[1]).toBe(3)
})
