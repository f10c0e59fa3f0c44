import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactCount, fileSize, fullCount, ratingText } from './numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1234, '1.2K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [1_000_000, '1M'],
])('shortens %d to %s', (count, text) => {
  expect(compactCount(count)).toBe(text)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('shows all digits of %d as %s', (count, text) => {
  expect(fullCount(count)).toBe(text)
})

test('writes counts as Intl does', () => {
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
  const full = new Intl.NumberFormat('en')
  fc.assert(
    fc.property(fc.double({ min: 0, max: 14.9, noNaN: true }), (exponent) => {
      const count = Math.floor(10 ** exponent)
      expect([compactCount(count), fullCount(count)]).toEqual([compact.format(count), full.format(count)])
    }),
  )
})

test.each([
  [0, '0.0'],
  [Number.NaN, '0.0'],
  [4.46, '4.5'],
  [5, '5.0'],
])('shows a rating of %d as %s', (average, text) => {
  expect(ratingText(average)).toBe(text)
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1_048_524, '1023.9 KB'],
  [1_048_575, '1 MB'],
  [1_048_576, '1 MB'],
  [1_073_741_823, '1 GB'],
  [1_073_741_824, '1 GB'],
  [5_497_558_138_880, '5120 GB'],
])('shows %d bytes as %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text)
})
