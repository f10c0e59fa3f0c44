import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, searchedWordsOf, wordsOf } from './words.ts'

/** Whether a search finds a text, as the catalogue does it: each word is a prefix of a word of the text. */
const finds = (search: string, text: string) => {
  const words = wordsOf(text)
  return searchedWordsOf(search)
    .flat()
    .every((searched) => words.some((word) => word.startsWith(searched)))
}

test.each([
  ['🔥', 'Fire 🔥'],
  ['❤', 'I ❤️ it'],
  ['❤️', 'I ❤ it'],
  ['👍', 'Good 👍🏽'],
  ['🇩🇪', 'Deutsch 🇩🇪'],
  ['👨‍👩‍👧', 'Family 👨‍👩‍👧'],
  ['→', 'a → b'],
  ['€', '5 €'],
  ['c#', 'Like C#.'],
  ['C++', 'c++ port'],
  ['c', 'Like C#.'],
  ['18+', 'only 18+'],
])('the symbols of %s are found in %s', (search, text) => {
  expect(finds(search, text)).toBe(true)
})

test.each([
  ['🔥', 'Water 💧'],
  ['c#', 'c language, #1'],
  ['🇩🇪', '🇩🇰 🇪🇸'],
  ['!!!', 'Great!!!'],
  ['#', 'a # b'],
  ['...', 'wait...'],
  ['\u{FFFF}', 'text'],
])('%s is not found in %s', (search, text) => {
  expect(finds(search, text)).toBe(false)
})

test.each([
  ['农场', '自动农场脚本'],
  ['自动', '自动农场脚本'],
  ['脚本', '自动农场脚本'],
  ['本', '自动农场脚本'],
  ['动农场', '自动农场脚本'],
  ['自动农场脚本', '最好的自动农场脚本v2'],
  ['script', '自动农场script'],
  ['ファーム', '自動ファームです'],
  ['カード', '新しいカード'],
  ['ｶﾞｰﾄﾞ', 'ガード'],
  ['ฟาร์ม', 'สคริปต์ฟาร์มอัตโนมัติ'],
  ['農場', '自動農場'],
])('%s is found inside %s', (search, text) => {
  expect(finds(search, text)).toBe(true)
})

test.each([
  ['カード', 'ガード'],
  ['ハス', 'バス'],
  ['कि', 'का'],
  ['农民', '自动农场脚本'],
])('%s is another word than %s', (search, text) => {
  expect(finds(search, text)).toBe(false)
})

test.each([
  ['strasse', 'Straße'],
  ['straße', 'STRASSE'],
  ['lodz', 'Łódź'],
  ['Ł', 'lodz'],
  ['kobenhavn', 'København'],
  ['Izmir', 'izmir'],
  ['ılık', 'ilik'],
  ['İstanbul', 'istanbul'],
  ['aether', 'Æther'],
  ['dung', 'đụng'],
  ['eclair', 'É\u0301clair'],
  ['σοφος', 'Σοφός'],
  ['كتاب', 'كِتَابٌ'],
  ['كتاب', 'كتـــاب'],
  ['שלום', 'שָׁלוֹם'],
  ['softhyphen', 'soft\u00ADhyphen'],
  ['میخواهم', 'می\u200Cخواهم'],
])('%s is the same word as %s', (search, text) => {
  expect(finds(search, text)).toBe(true)
})

test.each([
  ['nodejs', 'for node.js'],
  ['node.js', 'for node.js'],
  ['dont', 'Don’t'],
  ["don't", "Don't"],
  ['1000', '1,000 coins'],
  ['1000000', '1,000,000'],
  ['autofarm', 'Auto-Farm'],
  ['auto farm', 'Auto-Farm'],
])('%s is found in %s', (search, text) => {
  expect(finds(search, text)).toBe(true)
})

test('blank text searches for nothing, punctuation for what no text has', () => {
  for (const blank of ['', '  \n', '\u200B', '\u00AD']) expect(searchedWordsOf(blank)).toEqual([])
  for (const text of ['!', '#', '?!', '—', '\u{FFFF}']) expect(searchedWordsOf(text)).toHaveLength(1)
})

test('a long run of letters without spaces is one word of a search', () => {
  const words = searchedWordsOf('动'.repeat(40) + '农场'.repeat(40))
  expect(words).toHaveLength(1)
  expect(words.flat().length).toBeLessThanOrEqual(16)
})

test('every text is found by itself and by any of its unspaced parts, and words fit into a tsvector', () => {
  const letter = fc.constantFrom(...Array.from("农场自动カガ゛ード한ฟา์aé_1.-'’,#+🔥 ßİ\u0301\u200D"))
  fc.assert(
    fc.property(
      fc.array(letter, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: 'grapheme' }),
      (letters, other) => {
        const text = letters.join('')
        const isPunctuation = searchedWordsOf(text).flat()[0] === '\u{FFFF}'
        expect(isPunctuation || finds(text, text), text).toBe(true)
        for (const word of [...wordsOf(text), ...wordsOf(other)]) expect(word).not.toMatch(/['\\\s]|^$/u)
      },
    ),
    { numRuns: 2000 },
  )
})

test('titles sort by their decomposed letters', () => {
  expect(fold('Éclair ガ')).toBe('eclair カ')
})
