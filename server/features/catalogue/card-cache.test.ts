import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCardCache, serializeCard } from './cards.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const card = (text: string) => serializeCard(text.padEnd(600, '.'))
const MINUTE = 60_000

test('evicts the least recently used cards and never exceeds its limit', () => {
  const cache = createCardCache(10_000, MINUTE)
  cache.set(1, card('often'))
  for (let id = 2; id <= 100; id++) {
    cache.set(id, card(String(id)))
    expect(cache.calculatedSize).toBeLessThanOrEqual(10_000)
    expect(cache.get(1)?.json.toString()).toContain('often')
  }
  expect([cache.has(2), cache.has(100)]).toEqual([false, true])
})

test('counts the size of a replaced card once, and of a deleted card not at all', () => {
  const cache = createCardCache(10_000, MINUTE)
  cache.set(1, card('a'))
  const once = cache.calculatedSize
  cache.set(1, card('b'))
  expect(cache.calculatedSize).toBe(once)
  expect(cache.get(1)?.json.toString()).toContain('b')
  cache.delete(1)
  cache.delete(1)
  expect(cache.calculatedSize).toBe(0)
})

test('returns no card past its maximum age', () => {
  const cache = createCardCache(10_000, MINUTE)
  cache.set(1, card('a'))
  vi.advanceTimersByTime(MINUTE - 200)
  expect(cache.get(1)).toBeDefined()
  vi.advanceTimersByTime(400)
  expect(cache.get(1)).toBeUndefined()
})

test('does not store a card larger than its limit', () => {
  const cache = createCardCache(500, MINUTE)
  cache.set(1, card('a'))
  expect([cache.calculatedSize, cache.get(1)]).toEqual([0, undefined])
})

test('only cards of equal bytes have equal digests', () => {
  expect(card('a').digest).toEqual(card('a').digest)
  expect(card('a').digest).not.toEqual(card('b').digest)
})

test('a card does not retain a larger buffer', () => {
  const { json } = card('a')
  expect(json.buffer.byteLength).toBe(json.length)
})
