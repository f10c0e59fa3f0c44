import { expect, test } from 'vitest'
import { compactCount, fileSize, fullCount, ratingText } from './numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1234, '1.2K'],
  [1_000_000, '1M'],
])('shortens %d to %s', (count, text) => {
  expect(compactCount(count)).toBe(text)
})

test('shows all digits of a full count', () => {
  expect(fullCount(1_234_567)).toBe('1,234,567')
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
