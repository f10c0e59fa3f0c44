import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allocateBits,
  bitSet,
  copyToBits,
  gallop,
  hasBit,
  type IdSet,
  intersectBits,
  intersectionSize,
  listBits,
  listSet,
  MutableIdSet,
  retain,
} from '../src/id-set.ts'
import { ScratchPool } from '../src/scratch.ts'

const MAX_ID = 3199

const idsOf = ({ list, bits }: IdSet): number[] =>
  list
    ? [...list]
    : Array.from({ length: (bits?.length ?? 0) * 32 }, (_, id) => id).filter((id) =>
        hasBit(bits ?? new Uint32Array(), id),
      )
const ascending = (ids: Iterable<number>) => [...ids].toSorted((a, b) => a - b)
const toList = (ids: Iterable<number>) => listSet(Uint32Array.from(ascending(ids)))
const toBits = (ids: ReadonlySet<number>) => bitSet(copyToBits(toList(ids), MAX_ID), ids.size)

const intersectSets = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
  new Set([...one].filter((id) => other.has(id)))

const id = fc.nat(MAX_ID)
const idSet = fc.uniqueArray(id, { maxLength: 300 }).map((ids) => new Set(ids))
const form = fc.constantFrom(toList, toBits)

describe('a mutable set', () => {
  test.each([
    ['that is short is a list', 0, 49, false],
    ['that is long is bits', 50, 200, true],
  ])('%s and equals a naive set after any changes', (_, minLength, maxLength, isBits) => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength, maxLength }), fc.array(fc.nat(MAX_ID * 2)), (ids, changes) => {
        const naive = new Set(ids)
        const set = new MutableIdSet(copyToBits(toList(naive), MAX_ID), naive.size)
        expect(set.ids.bits !== undefined).toBe(isBits)
        const highest = Math.max(...ids, 0)
        for (const changed of [...changes, highest, highest]) {
          expect(set.has(changed)).toBe(naive.has(changed))
          if (naive.delete(changed)) set.delete(changed)
          else {
            naive.add(changed)
            set.add(changed)
          }
        }
        expect(idsOf(set.ids)).toEqual(ascending(naive))
        expect(set.ids.count).toBe(naive.size)
      }),
    )
  })
})

test('intersections of lists and bits equal those of naive sets', () => {
  fc.assert(
    fc.property(idSet, idSet, form, form, (one, other, makeOne, makeOther) => {
      const common = ascending(intersectSets(one, other))
      expect(intersectionSize(makeOne(one), makeOther(other))).toBe(common.length)
      const ids = Uint32Array.from(ascending(one))
      const count = retain(ids, ids.length, makeOther(other))
      expect([...ids.subarray(0, count)]).toEqual(common)
    }),
  )
})

test('intersects any number of bit sets, also of different lengths', () => {
  fc.assert(
    fc.property(fc.array(idSet, { minLength: 1, maxLength: 4 }), fc.nat(MAX_ID), (sets, maxId) => {
      const into = allocateBits(MAX_ID).fill(~0)
      const [first = new Set<number>(), ...others] = sets
      const shorter = new Set([...first].filter((one) => one >>> 5 < (maxId + 32) >>> 5))
      const bits = [copyToBits(toList(shorter), maxId), ...others.map((set) => toBits(set).bits ?? into)]
      const common = ascending(others.reduce(intersectSets, shorter))
      expect(intersectBits(bits, into)).toBe(common.length)
      const list = new Uint32Array(common.length)
      expect([listBits(into, list), [...list]]).toEqual([common.length, common])
    }),
  )
})

test('gallops to the first id that is not below', () => {
  fc.assert(
    fc.property(idSet, id, fc.nat(300), (ids, wanted, start) => {
      const list = Uint32Array.from(ascending(ids))
      const from = Math.min(
        start,
        list.findIndex((one) => one >= wanted) < 0 ? list.length : list.findIndex((one) => one >= wanted),
      )
      const expected = list.findIndex((one) => one >= wanted)
      expect(gallop(list, wanted, from)).toBe(expected < 0 ? list.length : expected)
    }),
  )
})

describe('a union', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(5000), { maxLength: 60 }), { maxLength: 5 })

  test('has the ids of all sets once and in order, and is empty afterwards', () => {
    const pool = new ScratchPool()
    fc.assert(
      fc.property(lists, fc.uniqueArray(fc.nat(5000), { maxLength: 60 }), (sparse, dense) => {
        const { union } = pool.open(5000)
        for (const list of sparse) union.add(Uint32Array.from(list))
        union.addBits(copyToBits(toList(dense), 5000))
        const into = new Uint32Array(400)
        const count = union.drain(into)
        expect([...into.subarray(0, count)]).toEqual(ascending(new Set([...sparse.flat(), ...dense])))
        expect(union.drain(into)).toBe(0)
      }),
    )
  })

  test('takes a part of a list and grows with the highest id', () => {
    const pool = new ScratchPool()
    pool.open(10)
    const { union } = pool.open(100_000)
    union.add(Uint32Array.of(1, 99_999, 7, 100_000), 1, 3)
    const into = new Uint32Array(4)
    expect([union.drain(into), [...into]]).toEqual([2, [7, 99_999, 0, 0]])
  })
})

describe('the scratch space of a query', () => {
  test('hands out lists and bits that stay apart until the query ends', () => {
    const scratch = new ScratchPool().open(100_000)
    const taken = Array.from({ length: 20 }, (_, i) => {
      const reserved = scratch.reserveList(1000 * (i + 1)).fill(i)
      return scratch.commitList(reserved, 500)
    })
    for (const [i, list] of taken.entries()) expect(new Set(list)).toEqual(new Set([i]))
    const [one, other] = [scratch.takeBits(), scratch.takeBits()]
    one.fill(~0)
    expect(other.every((word) => word === 0)).toBe(true)
  })

  test('is the same memory for every query', () => {
    const pool = new ScratchPool()
    const buffers = Array.from({ length: 3 }, () => {
      const scratch = pool.open(100_000)
      return [scratch.takeBits().buffer, scratch.reserveList(10).buffer, scratch.sortBuffers(10).ids.buffer]
    })
    expect(buffers[1]).toEqual(buffers[0])
    for (const [i, buffer] of (buffers[2] ?? []).entries()) expect(buffer).toBe(buffers[0]?.[i])
  })

  test('has empty bits for all ids of a query after one over fewer ids', () => {
    const pool = new ScratchPool()
    pool.open(1000).takeBits().fill(~0)
    const bits = pool.open(5000).takeBits()
    expect([bits.length >= 5001 / 32, bits.some((word) => word !== 0)]).toEqual([true, false])
  })
})
