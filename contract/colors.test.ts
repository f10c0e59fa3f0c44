import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  accentColors,
  checkAccent,
  contrast,
  DEFAULT_ACCENT,
  describeAccentProblem,
  isColor,
  MIN_CONTRAST,
  nearestReadable,
  THEME_COLORS,
  THEMES,
} from './colors.ts'

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  // From the examples of WebAIM.
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

describe.each(THEMES)('in the %s theme', (theme) => {
  test('the default color is readable', () => {
    expect(checkAccent(theme, DEFAULT_ACCENT[theme]).isReadable).toBe(true)
    expect(describeAccentProblem(theme, DEFAULT_ACCENT[theme])).toBeUndefined()
  })

  test('the nearest color of any color is readable, and a readable color is its own', () => {
    fc.assert(
      fc.property(color, (input) => {
        const nearest = nearestReadable(theme, input)
        expect(isColor(nearest)).toBe(true)
        expect(checkAccent(theme, nearest).isReadable).toBe(true)
        expect(nearest === input).toBe(checkAccent(theme, input).isReadable)
      }),
    )
  })

  test('every text is readable on what follows from a readable color', () => {
    fc.assert(
      fc.property(color, (input) => {
        const accent = nearestReadable(theme, input)
        const { soft, hover, onAccent } = accentColors(theme, accent)
        const pairs = [
          ...[...THEME_COLORS[theme].texts, ...THEME_COLORS[theme].code].map((text) => [text, soft]),
          ...THEME_COLORS[theme].surfaces.map((surface) => [accent, surface]),
          [accent, soft],
          [onAccent, accent],
          [onAccent, hover],
        ] as [string, string][]
        const worst = Math.min(...pairs.map(([one, other]) => contrast(one, other)))
        expect(worst).toBeGreaterThanOrEqual(MIN_CONTRAST)
      }),
    )
  })
})

test('says what is wrong with a color, and by how much', () => {
  expect(describeAccentProblem('dark', '#7c3aed')).toBe(
    'Links in this color are hard to read in the dark theme: their contrast is 2.5:1, and 4.5:1 is needed.',
  )
  expect(describeAccentProblem('light', '#ffd400')).toMatch(/light theme: their contrast is 1\.\d:1/)
})
