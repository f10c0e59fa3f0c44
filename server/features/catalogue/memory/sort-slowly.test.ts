import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Slices } from './slices.ts'
import { sortSlowly } from './sort-slowly.ts'

test('sorting in slices gives what sorting at once does, ties and infinities included', async () => {
  const some = fc.constantFrom(-Infinity, -1, 0, 0.5, 1, 2, 2 ** 51)
  await fc.assert(
    fc.asyncProperty(fc.array(some, { maxLength: 400 }), async (given) => {
      const keys = Float64Array.from(given)
      const numbers = Uint32Array.from(given.keys()).toReversed()
      const descending = (one: number, other: number) => other - one
      const sorted = await sortSlowly(numbers.slice(), keys, descending, new Slices())
      const expected = [...given.entries()].toSorted(([one, a], [other, b]) =>
        a === b ? descending(one, other) : a < b ? -1 : 1,
      )
      expect([...sorted]).toEqual(expected.map(([number]) => number))
    }),
  )
})
