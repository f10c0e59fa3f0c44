import { expect, test } from 'vitest'
import { CardCache, finishCard } from './cards.ts'

const card = (text: string) => finishCard(text.padEnd(600, '.'))
const MINUTE = 60_000

test('keeps cards up to its bounds, those that are used the longest', () => {
  const cache = new CardCache(10_000, MINUTE)
  cache.set(1, card('often'), 0)
  for (let id = 2; id <= 100; id++) {
    cache.set(id, card(String(id)), 0)
    expect(cache.bytes).toBeLessThanOrEqual(10_000)
    expect(cache.get(1, 0)?.json.toString()).toContain('often')
  }
  expect(cache.get(2, 0)).toBeUndefined()
  expect(cache.get(100, 0)).toBeDefined()
})

test('looks at few that were used for one that comes in, and stays within its bounds', () => {
  const cache = new CardCache(200_000, MINUTE)
  for (let id = 1; id <= 200; id++) cache.set(id, card(String(id)), 0)
  const kept = Array.from({ length: 200 }, (_, at) => at + 1).filter((id) => cache.get(id, 0))
  cache.set(1000, card('new'), 0)
  expect(cache.bytes).toBeLessThanOrEqual(200_000)
  // All had been used: the first of them kept their chance and moved back, the next one went.
  expect(kept.filter((id) => !cache.get(id, 0))).toEqual([kept[32]])
})

test('counts a card once that is set again, and nothing after it was forgotten', () => {
  const cache = new CardCache(10_000, MINUTE)
  cache.set(1, card('a'), 0)
  const once = cache.bytes
  cache.set(1, card('b'), 0)
  expect(cache.bytes).toBe(once)
  expect(cache.get(1, 0)?.json.toString()).toContain('b')
  cache.delete(1)
  cache.delete(1)
  expect([cache.bytes, cache.get(1, 0)]).toEqual([0, undefined])
})

test('gives nothing that is too old', () => {
  const cache = new CardCache(10_000, MINUTE)
  cache.set(1, card('a'), 0)
  expect(cache.get(1, MINUTE - 1)).toBeDefined()
  expect(cache.get(1, MINUTE)).toBeUndefined()
})

test('a card larger than everything is not kept', () => {
  const cache = new CardCache(500, MINUTE)
  cache.set(1, card('a'), 0)
  expect([cache.bytes, cache.get(1, 0)]).toEqual([0, undefined])
})

test('cards of equal bytes have equal digests, and no others', () => {
  expect(card('a').digest).toEqual(card('a').digest)
  expect(card('a').digest).not.toEqual(card('b').digest)
})

test('a card keeps nothing else in memory', () => {
  const { json } = card('a')
  expect(json.buffer.byteLength).toBe(json.length)
})
