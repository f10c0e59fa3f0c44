import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBounds, MAX_DEPTH, MAX_OUTSIDE_TEXT, MAX_VALUES } from './json-bounds.ts'

/** Whether the bounds admit a text that arrives in pieces of this many bytes. */
function admits(text: string, size = 7): boolean {
  const bounds = new JsonBounds()
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) if (!bounds.admit(bytes.subarray(i, i + size))) return false
  return true
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('admits values up to the depth', () => {
  expect([admits(nested(MAX_DEPTH)), admits(nested(MAX_DEPTH + 1))]).toEqual([true, false])
})

test('admits values up to their number', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, (_, i) => i))
  expect([admits(list(MAX_VALUES)), admits(list(MAX_VALUES + 1))]).toEqual([true, false])
})

test('admits a body of text of any length, but not of anything else', () => {
  const text = JSON.stringify('x'.repeat(2 * MAX_OUTSIDE_TEXT))
  const digits = '1'.repeat(MAX_OUTSIDE_TEXT + 1)
  expect([admits(text, 65_536), admits(digits, 65_536), admits(' '.repeat(digits.length))]).toEqual([
    true,
    false,
    false,
  ])
})

test('reads brackets in text as text, however the text is escaped and cut', () => {
  const brackets = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', '\n', 'é', ','), maxLength: 60 })
  fc.assert(
    fc.property(fc.array(brackets, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const many = JSON.stringify(Array.from({ length: 50 }, () => texts))
      expect(admits(many, size)).toBe(50 * (texts.length + 1) <= MAX_VALUES)
    }),
  )
})
