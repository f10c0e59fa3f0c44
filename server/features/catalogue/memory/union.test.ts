import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setBit } from '@scriptyard/catalogue-index'
import { Union } from './union.ts'

const ids = fc.uniqueArray(fc.nat(5000), { maxLength: 60 })

test('has the ids of all sets once and in order, and is empty again afterwards', () => {
  const union = new Union()
  union.reserve(5000)
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 5 }), ids, (lists, dense) => {
      const bits = new Uint32Array(200)
      for (const id of dense) setBit(bits, id)
      for (const list of lists) union.add(Uint32Array.from(list))
      union.addBits(bits)
      const into = new Uint32Array(400)
      const count = union.list(into)
      const wanted = [...new Set([...lists.flat(), ...dense])].toSorted((a, b) => a - b)
      expect([...into.subarray(0, count)]).toEqual(wanted)
      expect(union.list(into)).toBe(0)
    }),
  )
})

test('takes a part of a list, and grows with the highest id', () => {
  const union = new Union()
  union.reserve(10)
  union.reserve(100_000)
  union.add(Uint32Array.of(1, 99_999, 7, 100_000), 1, 3)
  const into = new Uint32Array(4)
  expect([union.list(into), [...into]]).toEqual([2, [7, 99_999, 0, 0]])
})
