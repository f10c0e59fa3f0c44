import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Kept, SecondChance } from './second-chance.ts'

const kept = (size = 1): Kept => ({ size, wasUsed: false })

test('who is used stays, whoever comes once in between', () => {
  const cache = new SecondChance<string, Kept>(Infinity, 4)
  cache.set('often', kept())
  for (let at = 0; at < 50; at++) {
    cache.set(`once ${at}`, kept())
    expect(cache.get('often')).toBeDefined()
  }
  expect([...cache.keys()].toSorted()).toEqual(['often', 'once 47', 'once 48', 'once 49'])
})

test('the newest comes in, also where all others are used', () => {
  const cache = new SecondChance<number, Kept>(10, 3)
  for (let key = 0; key < 100; key++) {
    cache.set(key, kept(3))
    expect(cache.get(key)).toBeDefined()
    expect(cache.size).toBeLessThanOrEqual(3)
  }
})

test('looks at few of very many for one that comes in', () => {
  const cache = new SecondChance<number, Kept>(Infinity, 1000)
  for (let key = 0; key < 1000; key++) {
    cache.set(key, kept())
    cache.get(key)
  }
  cache.set(1000, kept())
  expect([...cache.values()].filter(({ wasUsed }) => wasUsed).length).toBeGreaterThan(900)
})

test('its bytes are those of what it holds, and never more than it may hold', () => {
  const step = fc.tuple(fc.nat(20), fc.nat(40), fc.constantFrom('set', 'delete', 'get', 'resize'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = new SecondChance<number, Kept>(100, 8)
      for (const [key, size, deed] of steps) {
        const known = cache.get(key)
        if (deed === 'set') cache.set(key, kept(size))
        if (deed === 'delete') cache.delete(key)
        if (deed === 'resize' && known) cache.resize(known, Math.min(size, known.size))
        expect(cache.bytes).toBe([...cache.values()].reduce((sum, value) => sum + value.size, 0))
        expect(cache.bytes).toBeLessThanOrEqual(100)
        expect(cache.size).toBeLessThanOrEqual(8)
      }
      cache.clear()
      expect([cache.bytes, cache.size]).toEqual([0, 0])
    }),
  )
})

test('what is larger than all may be together is not kept, and what stood there is gone', () => {
  const cache = new SecondChance<string, Kept>(10)
  cache.set('a', kept(4))
  cache.set('a', kept(11))
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0])
})
