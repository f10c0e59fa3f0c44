import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const key = Buffer.alloc(32, 7)

test('opens what it sealed, and seals the same text differently each time', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1 ✓')
  expect(seal.open(sealed)).toBe('KEY-1 ✓')
  expect(sealed.includes('KEY-1')).toBe(false)
  expect(seal.seal('KEY-1 ✓').equals(sealed)).toBe(false)
})

test.each([
  ['another key', createSeal(Buffer.alloc(32, 8), 'prizes')],
  ['another purpose', createSeal(key, 'seeds')],
])('rejects ciphertext sealed with %s', (_name, other) => {
  expect(() => other.open(createSeal(key, 'prizes').seal('KEY-1'))).toThrow('unable to authenticate data')
})

test('rejects modified ciphertext', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => seal.open(sealed)).toThrow('unable to authenticate data')
})
