import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortUrl, textOn } from './profile-header.tsx'

test.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#ffff00', '#000000'],
  ['#6366f1', '#000000'],
  ['#5b21b6', '#ffffff'],
])('writes on %s in %s', (color, text) => {
  expect(textOn(color)).toBe(text)
})

// Calculated independently of the code under test, from integer channels.
function contrast(first: readonly number[], second: readonly number[]): number {
  const light = [first, second].map(([r = 0, g = 0, b = 0]) => {
    const [red, green, blue] = [r, g, b].map((c) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
  })
  return (Math.max(...light) + 0.05) / (Math.min(...light) + 0.05)
}

test('reaches a contrast of 4.5:1 on any color', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (rgb) => {
      const hex = `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
      const text = textOn(hex) === '#ffffff' ? [255, 255, 255] : [0, 0, 0]
      expect(contrast(rgb, text)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://example.com/ada/', 'example.com/ada'],
  ['https://example.com:8080/a?b=c#d', 'example.com:8080/a?b=c#d'],
  ['https://wwwhere.example/', 'wwwhere.example'],
  [`https://example.com/${'a'.repeat(100)}`, `example.com/${'a'.repeat(27)}…`],
])('shortens %s to %s', (href, text) => {
  expect(shortUrl(href)).toBe(text)
})
