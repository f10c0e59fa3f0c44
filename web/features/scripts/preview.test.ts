import { describe, expect, test } from 'vitest'
import { makePreview, previewText } from './preview.ts'

describe('makePreview', () => {
  test('shows a short script whole, without a line for its last line break', () => {
    const preview = makePreview('local a = 1\r\n\r\nprint(a)\n')
    expect(preview.lines).toEqual([[['text', 'local a = 1']], [], [['text', 'print(a)']]])
    expect(preview.isCut).toBe(false)
  })

  test('is not cut at exactly 2,000 characters', () => {
    const preview = makePreview('🎮'.repeat(2000))
    expect(preview.isCut).toBe(false)
    expect(previewText(preview.lines)).toBe('🎮'.repeat(2000))
  })

  test('is cut after the 2,000th character and tears none in two', () => {
    const preview = makePreview(`${'a'.repeat(1999)}🎮b`)
    expect(preview.isCut).toBe(true)
    expect(previewText(preview.lines)).toBe(`${'a'.repeat(1999)}🎮`)
  })

  test('keeps 2,000 characters of a line of a mebibyte', () => {
    const preview = makePreview('x'.repeat(1_048_576))
    expect(preview.lines).toHaveLength(1)
    expect(previewText(preview.lines)).toHaveLength(2000)
  })

  test('tells of hidden characters behind the cut', () => {
    expect(makePreview(`${'a'.repeat(5000)}\u202e`).hasHiddenCharacters).toBe(true)
    expect(makePreview('a'.repeat(5000)).hasHiddenCharacters).toBe(false)
  })
})
