import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from './text.ts'

describe('cutText', () => {
  test.each([
    ['', 3, '', ''],
    ['ab', 3, 'ab', ''],
    ['abc', 3, 'abc', ''],
    ['abcd', 3, 'abc', 'd'],
    ['a🎮b', 2, 'a🎮', 'b'],
    ['🎮🎮🎮', 2, '🎮🎮', '🎮'],
    ['🎮🎮', 2, '🎮🎮', ''],
    ['\ud83cab', 1, '\ud83c', 'ab'],
  ])('cuts %j after %i characters', (text, characters, head, rest) => {
    expect(cutText(text, characters)).toEqual({ head, rest })
  })

  test('preserves the text and respects the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, characters) => {
        const { head, rest } = cutText(text, characters)
        expect(head + rest).toBe(text)
        expect(Array.from(head).length).toBe(Math.min(characters, Array.from(text).length))
      }),
    )
  })
})
