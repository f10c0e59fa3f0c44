import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Slices } from './slices.ts'
import { sortSlowly } from './sort-slowly.ts'

const few = fc.constantFrom(-Infinity, Infinity, -1, -0, 0, 0.5, 1, 2, 2 ** 51)
const any = fc.double({ noNaN: true })

/** Some order of their own, for those of equal keys. */
const mixed = (number: number) => Math.imul(number, 0x9e3779b1)

test.each([
  ['few keys, so that many are equal', few],
  ['any keys', any],
])('sorting in slices gives what sorting at once does: %s', async (_, key) => {
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 400 }), fc.boolean(), async (given, isMixed) => {
      const keys = Float64Array.from(given)
      const compare = (one: number, other: number) => (isMixed ? mixed(one) - mixed(other) : one - other)
      const sorted = await sortSlowly(Uint32Array.from(given.keys()), keys, compare, new Slices())
      const expected = [...given.entries()].toSorted(([one, a], [other, b]) =>
        a === b ? compare(one, other) : a < b ? -1 : 1,
      )
      expect([...sorted]).toEqual(expected.map(([number]) => number))
    }),
  )
})

test('numbers between which others are missing are sorted alone', async () => {
  const keys = Float64Array.from({ length: 50_000 }, (_, number) => mixed(number) % 1000)
  const numbers = Uint32Array.from({ length: 20_000 }, (_, at) => at * 2 + 1)
  const expected = [...numbers].toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || other - one)
  const sorted = await sortSlowly(numbers, keys, (one, other) => other - one, new Slices())
  expect([...sorted]).toEqual(expected)
})
