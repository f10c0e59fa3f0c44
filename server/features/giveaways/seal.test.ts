import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const key = Buffer.alloc(32, 7)

test('what is sealed is opened again, and is never sealed the same way twice', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1 ✓')
  expect(seal.open(sealed)).toBe('KEY-1 ✓')
  expect(sealed.includes('KEY-1')).toBe(false)
  expect(seal.seal('KEY-1 ✓').equals(sealed)).toBe(false)
})

test.each([
  ['another key', createSeal(Buffer.alloc(32, 8), 'prizes')],
  ['another purpose', createSeal(key, 'seeds')],
])('is not opened with %s', (_name, other) => {
  expect(() => other.open(createSeal(key, 'prizes').seal('KEY-1'))).toThrow('unable to authenticate data')
})

test('is not opened when a byte was changed', () => {
  const seal = createSeal(key, 'prizes')
  const sealed = seal.seal('KEY-1')
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => seal.open(sealed)).toThrow('unable to authenticate data')
})
