import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHiddenCharacters, splitHiddenCharacters } from './hidden-characters.ts'

describe('hasHiddenCharacters', () => {
  test.each(['\u202e', 'a\u2066b', 'a\u200bb', '\ufeffprint()'])('finds them in %j', (text) => {
    expect(hasHiddenCharacters(text)).toBe(true)
  })

  test.each(['', 'local x = 1\n\t', 'سلام', '👩\u200d💻', 'می\u200cخواهم'])('lets ordinary writing be: %j', (text) => {
    expect(hasHiddenCharacters(text)).toBe(false)
  })
})

describe('splitHiddenCharacters', () => {
  test('names each hidden character where it stands', () => {
    expect(splitHiddenCharacters('if \u202e-- \u2066x')).toEqual([
      { text: 'if ', hidden: null },
      { text: '\u202e', hidden: 'U+202E' },
      { text: '-- ', hidden: null },
      { text: '\u2066', hidden: 'U+2066' },
      { text: 'x', hidden: null },
    ])
  })

  test('loses nothing', () => {
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
