import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOn } from './badge-contrast.ts'

test.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#ffff00', '#000000'],
  ['#6366f1', '#000000'],
  ['#5b21b6', '#ffffff'],
])('writes on %s in %s', (colour, text) => {
  expect(textOn(colour)).toBe(text)
})

// Counted here in another way than there: whole numbers per channel.
function contrast(one: readonly number[], other: readonly number[]): number {
  const light = [one, other].map(([r = 0, g = 0, b = 0]) => {
    const [red, green, blue] = [r, g, b].map((c) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
  })
  return (Math.max(...light) + 0.05) / (Math.min(...light) + 0.05)
}

test('can be read on any colour', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (rgb) => {
      const hex = `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
      const text = textOn(hex) === '#ffffff' ? [255, 255, 255] : [0, 0, 0]
      expect(contrast(rgb, text)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})
