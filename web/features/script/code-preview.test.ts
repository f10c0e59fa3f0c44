import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHiddenCharacters, splitHiddenCharacters } from '#web/shared/code-diff/code-text.tsx'
import { makePreview, previewText } from './code-preview.ts'

describe('makePreview', () => {
  test('shows a short script completely, without a line for the trailing line break', () => {
    const preview = makePreview('local a = 1\r\n\r\nprint(a)\n')
    expect(preview.lines).toEqual([[['text', 'local a = 1']], [], [['text', 'print(a)']]])
    expect(preview.isCut).toBe(false)
  })

  test('does not truncate exactly 2,000 characters', () => {
    const preview = makePreview('🎮'.repeat(2000))
    expect(preview.isCut).toBe(false)
    expect(previewText(preview.lines)).toBe('🎮'.repeat(2000))
  })

  test('truncates after 2,000 characters without splitting a surrogate pair', () => {
    const preview = makePreview(`${'a'.repeat(1999)}🎮b`)
    expect(preview.isCut).toBe(true)
    expect(previewText(preview.lines)).toBe(`${'a'.repeat(1999)}🎮`)
  })

  test('keeps 2,000 characters of a line of 1 MB', () => {
    const preview = makePreview('x'.repeat(1_048_576))
    expect(preview.lines).toHaveLength(1)
    expect(previewText(preview.lines)).toHaveLength(2000)
  })

  test('reports hidden characters beyond the preview', () => {
    expect(makePreview(`${'a'.repeat(5000)}\u202e`).hasHiddenCharacters).toBe(true)
    expect(makePreview('a'.repeat(5000)).hasHiddenCharacters).toBe(false)
  })
})

describe('hasHiddenCharacters', () => {
  test.each(['\u202e', 'a\u2066b', 'a\u200bb', '\ufeffprint()'])('finds hidden characters in %j', (text) => {
    expect(hasHiddenCharacters(text)).toBe(true)
  })

  test.each(['', 'local x = 1\n\t', 'سلام', '👩\u200d💻', 'می\u200cخواهم'])('accepts ordinary text: %j', (text) => {
    expect(hasHiddenCharacters(text)).toBe(false)
  })
})

describe('splitHiddenCharacters', () => {
  test('returns each hidden character with its code point', () => {
    expect(splitHiddenCharacters('if \u202e-- \u2066x')).toEqual([
      { text: 'if ', hidden: null },
      { text: '\u202e', hidden: 'U+202E' },
      { text: '-- ', hidden: null },
      { text: '\u2066', hidden: 'U+2066' },
      { text: 'x', hidden: null },
    ])
  })

  test('preserves the text', () => {
    const piece = fc.constantFrom('a', ' ', '\u202e', '\ufeff', '🎮')
    fc.assert(
      fc.property(fc.array(piece), (parts) => {
        const text = parts.join('')
        expect(
          splitHiddenCharacters(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})
