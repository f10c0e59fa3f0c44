import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortByOrder } from '../src/radix-sort.ts'
import { SortedIdList } from '../src/sort-orders.ts'

const fewKeys = fc.constantFrom(-Infinity, Infinity, -1, -0, 0, 0.5, 1, 2, 2 ** 51)
const anyKey = fc.double({ noNaN: true })

/** An order of its own for numbers with equal keys. */
const mixed = (number: number) => Math.imul(number, 0x9e3779b1)
const writing = (keys: readonly number[]) => (numbers: Uint32Array, into: Float64Array) =>
  numbers.forEach((number, i) => void (into[i] = keys[number] ?? 0))

describe('the radix sort', () => {
  test.each([
    ['few different keys', fewKeys],
    ['any keys', anyKey],
  ])('sorts by key and then by comparison: %s', (_, key) => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 400 }), fc.boolean(), (keys, isMixed) => {
        const compare = (one: number, other: number) => (isMixed ? mixed(one) - mixed(other) : one - other)
        const sorted = sortByOrder(Uint32Array.from(keys.keys()), { compare, writeKeys: writing(keys) })
        const expected = [...keys.entries()].toSorted(([one, a], [other, b]) =>
          a === b ? compare(one, other) : a < b ? -1 : 1,
        )
        expect([...sorted]).toEqual(expected.map(([number]) => number))
      }),
    )
  })

  test('sorts numbers with gaps and leaves its input as it is', () => {
    const keys = Array.from({ length: 50_000 }, (_, number) => mixed(number) % 1000)
    const numbers = Uint32Array.from({ length: 20_000 }, (_, i) => i * 2 + 1)
    const expected = [...numbers].toSorted((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || other - one)
    const sorted = sortByOrder(numbers, { compare: (one, other) => other - one, writeKeys: writing(keys) })
    expect([...sorted]).toEqual(expected)
    expect(numbers[1]).toBe(3)
  })
})

describe.each([16, 1024])('a sorted list with chunks of %i', (chunkSize) => {
  test('equals a sorted array after any changes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 400 }), fc.nat(200), fc.nat(200), (changes, from, to) => {
        const list = new SortedIdList((one, other) => mixed(one) - mixed(other), undefined, chunkSize)
        const naive = new Set<number>()
        for (const number of changes) {
          if (naive.delete(number)) list.remove(number)
          else {
            naive.add(number)
            list.insert(number)
          }
        }
        const sorted = [...naive].toSorted((one, other) => mixed(one) - mixed(other))
        expect([...list.toArray()]).toEqual(sorted)
        expect(list.length).toBe(sorted.length)
        expect(list.slice(from, to)).toEqual(sorted.slice(from, Math.max(from, to)))
        const isBefore = (number: number) => mixed(number) < mixed(100)
        expect(list.countWhile(isBefore)).toBe(sorted.filter(isBefore).length)
        const walked: number[] = []
        list.walkAfter(isBefore, (number) => walked.push(number) < 5)
        expect(walked).toEqual(sorted.filter((number) => !isBefore(number)).slice(0, 5))
      }),
    )
  })

  test('throws when a number to remove is missing', () => {
    const list = new SortedIdList((one, other) => one - other, undefined, chunkSize)
    list.load(Uint32Array.of(1, 3))
    expect(() => list.remove(2)).toThrow('2 is not at its position')
  })
})
