import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasBit, setBit } from '@scriptyard/catalogue-index'
import { OwnSet } from './own-set.ts'

const SPAN = 3200

function open(ids: ReadonlySet<number>): OwnSet {
  const bits = new Uint32Array(SPAN / 32)
  for (const id of ids) setBit(bits, id)
  return new OwnSet(bits, ids.size)
}

function idsOf({ ids }: OwnSet): number[] {
  const { list, bits } = ids
  if (!bits) return [...(list ?? [])]
  return Array.from({ length: bits.length * 32 }, (_, id) => id).filter((id) => hasBit(bits, id))
}

const id = fc.nat(SPAN - 1)

test.each([
  ['a short one is a list', 0, 49, false],
  ['a long one is bits', 50, 200, true],
])('%s, and stays right while ids come in and go out', (_, minLength, maxLength, isBits) => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength, maxLength }), fc.array(fc.nat(SPAN * 2)), (given, changes) => {
      const naive = new Set(given)
      const set = open(naive)
      expect(set.ids.bits !== undefined).toBe(isBits)
      // The last one that went out may come in again: nothing is left of it.
      for (const changed of [...changes, Math.max(...given, 0), Math.max(...given, 0)]) {
        expect(set.has(changed)).toBe(naive.has(changed))
        if (naive.delete(changed)) set.delete(changed)
        else {
          naive.add(changed)
          set.add(changed)
        }
      }
      expect(idsOf(set)).toEqual([...naive].toSorted((a, b) => a - b))
      expect(set.ids.count).toBe(naive.size)
    }),
  )
})
