import { describe, expect, test } from 'vitest'
import { allocateBits, listBits, listSet, type OwnedBits } from '../src/id-set.ts'
import { type CatalogueDocument, DEFAULT_TUNING } from '../src/schema.ts'
import { FilterCache, SetCache } from '../src/set-cache.ts'
import { makeDocument } from './support.ts'

const empty = () => allocateBits(127)
const full = (bits: OwnedBits = empty()) => bits.fill(~0)
const nothing = { isMember: () => false, usesValues: false }
const withDownloads = (id: number, downloads: number): CatalogueDocument =>
  makeDocument(id, new Map(), { values: { downloads } })

describe('the set cache', () => {
  test('retains a set that is read often, within the limit', () => {
    const cache = new SetCache({ maxSets: 4 })
    cache.add('often', empty(), nothing)
    for (let i = 0; i < 50; i++) {
      cache.add(`once ${i}`, empty(), nothing)
      expect(cache.size).toBeLessThanOrEqual(4)
      expect(cache.get('often')).toBeDefined()
    }
    expect(cache.get('once 0')).toBeUndefined()
  })

  test('admits a new set although all others are used', () => {
    const cache = new SetCache({ maxSets: 3 })
    for (const key of ['a', 'b', 'c', 'd']) {
      cache.add(key, empty(), nothing)
      expect(cache.get(key)).toBeDefined()
    }
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toHaveLength(3)
  })

  test('is limited in bytes, also when a set grows', () => {
    const cache = new SetCache({ maxSets: 100, maxBytes: 100 })
    for (let i = 0; i < 20; i++) cache.add(`${i}`, full(), nothing)
    expect(cache.size).toBe(6)
    cache.delete('19')
    cache.add('grows', full(), { isMember: () => true, usesValues: false })
    cache.update(10_000, withDownloads(10_000, 0), true)
    cache.add('new', full(), nothing)
    const { count, bits } = cache.get('new') ?? listSet(new Uint32Array())
    expect([count, bits, cache.get('grows')?.count, cache.size]).toEqual([128, full(), undefined, 1])
  })

  test('returns a set that is too large to be cached', () => {
    const cache = new SetCache({ maxSets: 100, maxBytes: 10 })
    expect(cache.add('large', full(), nothing).count).toBe(128)
    expect(cache.get('large')).toBeUndefined()
  })

  test('has room for some bit sets over all ids, whatever their bytes', () => {
    const cache = new SetCache({ maxSets: 100, maxBytes: 100, minFullSets: 3 })
    for (let i = 0; i < 20; i++) cache.add(`${i}`, full(allocateBits(3199)), nothing)
    expect(cache.size).toBe(3)
  })

  test('reuses the memory of a removed set when the next query starts, and not before', () => {
    const cache = new SetCache({ maxSets: 1 })
    const { bits: borrowed } = cache.add('first', full(cache.allocate(127)), nothing)
    cache.add('second', full(cache.allocate(127)), nothing)
    expect(borrowed).toEqual(full())
    cache.reclaim()
    const reused = cache.allocate(100)
    expect([reused.buffer === borrowed?.buffer, reused]).toEqual([true, allocateBits(100)])
  })

  test('reuses the bits that became a list', () => {
    const cache = new SetCache({ maxSets: 1 })
    const bits = cache.allocate(127)
    bits[3] = 1
    expect(cache.add('sparse', bits, nothing, 1).list).toEqual(Uint32Array.of(96))
    cache.reclaim()
    expect(cache.allocate(127)).toEqual(empty())
    expect(bits).toEqual(empty())
  })

  test('allocates larger bits when the catalogue has grown', () => {
    const cache = new SetCache({ maxSets: 1 })
    for (const key of ['first', 'second']) cache.add(key, full(), nothing)
    cache.reclaim()
    expect(cache.allocate(1000)).toEqual(allocateBits(1000))
  })

  test('checks a document whose values changed only against sets that use values', () => {
    const cache = new SetCache({ maxSets: 4 })
    cache.add('by terms', empty(), { isMember: () => true, usesValues: false })
    cache.add('by values', empty(), { isMember: ({ values }) => (values.downloads ?? 0) > 10, usesValues: true })
    const counts = () => ['by terms', 'by values'].map((key) => cache.get(key)?.count)
    cache.update(5, withDownloads(5, 11), false)
    expect(counts()).toEqual([0, 1])
    cache.update(5, withDownloads(5, 11), true)
    expect(counts()).toEqual([1, 1])
    cache.update(5, undefined, true)
    expect(counts()).toEqual([0, 0])
  })
})

describe('the filter cache', () => {
  test('stores a copy of a list at its second request', () => {
    const cache = new FilterCache(DEFAULT_TUNING)
    const borrowed = Uint32Array.of(2, 40, 99)
    const offer = () => cache.offer('key', listSet(borrowed), 100, nothing)
    offer()
    expect(cache.get('key')).toBeUndefined()
    offer()
    borrowed.fill(0)
    const ids = new Uint32Array(3)
    const set = cache.get('key')
    expect([set?.count, listBits(set?.bits ?? new Uint32Array(), ids), [...ids]]).toEqual([3, 3, [2, 40, 99]])
  })

  test('stores no small result of a large catalogue', () => {
    const cache = new FilterCache(DEFAULT_TUNING)
    for (let i = 0; i < 3; i++) cache.offer('key', listSet(Uint32Array.of(2)), 1_000_000, nothing)
    expect(cache.get('key')).toBeUndefined()
  })

  test('evicts no filter that is requested more often', () => {
    const cache = new FilterCache({ ...DEFAULT_TUNING, maxCachedFilters: 2 })
    const offer = (key: string, times: number) => {
      for (let i = 0; i < times; i++) cache.offer(key, listSet(Uint32Array.of(2)), 100, nothing)
    }
    offer('often', 5)
    offer('sometimes', 3)
    offer('new', 3)
    expect(cache.get('new')).toBeUndefined()
    offer('new', 1)
    expect(['often', 'sometimes', 'new'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })

  test('forgets old requests', () => {
    const cache = new FilterCache({ ...DEFAULT_TUNING, maxCountedFilters: 4 })
    const offer = (key: string) => cache.offer(key, listSet(Uint32Array.of(2)), 100, nothing)
    offer('early')
    for (let i = 0; i < 4; i++) offer(`other ${i}`)
    offer('early')
    expect(cache.get('early')).toBeUndefined()
    offer('early')
    expect(cache.get('early')).toBeDefined()
  })
})
