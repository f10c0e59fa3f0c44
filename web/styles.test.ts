import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accentTokens, contrast, DEFAULT_ACCENT, THEME_COLORS } from '#contract/colors.ts'

const TOKEN = /--([\w-]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g
const css = readFileSync('web/styles.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(TOKEN)].map(([, name = '', light = '', dark = '', both]) => [
    name,
    { light: both ?? light, dark: both ?? dark },
  ]),
)

const surfaces = ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'accent-soft']
/** Backgrounds of changed lines. */
const changes = ['success-soft', 'danger-soft']
const codeTokens = [...tokens.keys()].filter((name) => name.startsWith('code-'))
const readable: [on: string[], texts: string[]][] = [
  [surfaces, ['text', 'muted', 'accent', 'success', 'warning', 'danger']],
  [changes, ['text', 'muted', 'success', 'warning', 'danger']],
  // Code lies on changed and selected lines, on matches of a search and on selected text, too.
  [[...surfaces, ...changes], codeTokens],
  [['accent-strong', 'accent-hover', 'danger-strong'], ['on-accent']],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const colorOf = (name: string) => {
    const found = tokens.get(name)?.[theme]
    if (!found) throw new Error(`There is no color ${name}.`)
    return found
  }

  test.each(readable.flatMap(([on, texts]) => on.flatMap((surface) => texts.map((text) => [text, surface] as const))))(
    '%s can be read on %s',
    (text, surface) => {
      expect(contrast(colorOf(text), colorOf(surface))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['surface-0', 'surface-1'])('the border of a field is visible on %s', (surface) => {
    expect(contrast(colorOf('line-strong'), colorOf(surface))).toBeGreaterThanOrEqual(3)
  })

  test('the colors against which a chosen accent color is checked are those of the theme', () => {
    const { surfaces: backgrounds, texts, code } = THEME_COLORS[theme]
    expect(backgrounds).toEqual(['surface-0', 'surface-1', 'surface-2', 'surface-3'].map(colorOf))
    expect(texts).toEqual(['text', 'muted', 'success', 'warning', 'danger'].map(colorOf))
    expect(code).toEqual(codeTokens.map(colorOf))
    expect(DEFAULT_ACCENT[theme]).toBe(colorOf('accent'))
    const tokensOfAccent = Object.entries(accentTokens(theme, null))
    expect(tokensOfAccent).toEqual(tokensOfAccent.map(([name]) => [name, colorOf(name.slice(2))]))
  })
})

/** Backgrounds of icons on pictures, whose colors are unknown. */
const TRANSLUCENT = new Set(['bg-surface-0/85'])

test('no text lies on a translucent background, whose contrast would depend on what is below', () => {
  const classes = globSync('web/**/*.tsx').flatMap(
    (file) => readFileSync(file, 'utf8').match(/\bbg-[\w-]+\/\d+/g) ?? [],
  )
  expect(classes.filter((name) => !TRANSLUCENT.has(name))).toEqual([])
})
