import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const TOKEN = /--([\w-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g
const css = readFileSync('web/styles.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(TOKEN)].map(([, name = '', light = '', dark = '', both]) => [
    name,
    { light: both ?? light, dark: both ?? dark },
  ]),
)

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const surfaces = ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'accent-soft']
const readable: [on: string[], texts: string[]][] = [
  [surfaces, ['text', 'muted', 'accent', 'success', 'warning', 'danger']],
  [['surface-0', 'surface-1', 'surface-2'], [...tokens.keys()].filter((name) => name.startsWith('code-'))],
  [['accent-strong', 'accent-hover', 'danger-strong'], ['on-accent']],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const colour = (name: string) => {
    const found = tokens.get(name)?.[theme]
    if (!found) throw new Error(`There is no colour ${name}.`)
    return found
  }

  test.each(readable.flatMap(([on, texts]) => on.flatMap((surface) => texts.map((text) => [text, surface] as const))))(
    '%s can be read on %s',
    (text, surface) => {
      expect(contrast(colour(text), colour(surface))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['surface-0', 'surface-1'])('the border of a field is visible on %s', (surface) => {
    expect(contrast(colour('line-strong'), colour(surface))).toBeGreaterThanOrEqual(3)
  })
})
