import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cleanLine,
  cleanText,
  countCharacters,
  cutBytes,
  cutCharacters,
  firstLine,
  isBlank,
  positionOfControl,
} from '@scriptyard/text'
import { hostile } from './hostile.ts'

describe('cleanLine', () => {
  test.each([
    ['  Lamp\t2\r\nof 3 ', 'Lamp 2 of 3'],
    ['a  \u200B b', 'a b'],
    ['es\u200Bp\uFEFF', 'esp'],
    ['a\u202Eb\u2066c', 'abc'],
    ['a\u000Bb\u2028c\u0085d\u0007e', 'a b c d e'],
    ['\u200E\u061CLamp', 'Lamp'],
    ['a\uFE0F\u034F\u00AD', 'a'],
    ['\uD800x', '\uFFFDx'],
    ['a\u200Cb', 'ab'],
    ['a\u200D', 'a'],
    ['1\uFE0F', '1'],
    ['\u{1F3F4}\u{E0067}\u{E0062}', '\u{1F3F4}'],
  ])('turns %j into %j', (text, line) => {
    expect(cleanLine(text)).toBe(line)
  })

  test.each([
    '👨‍👩‍👧 Family',
    '❤️ Heart',
    '❤️‍🔥',
    '🏳️‍🌈',
    '🏴‍☠️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '1️⃣',
    '🕵🏽‍♂️',
    '👩🏽‍❤️‍💋‍👨🏻',
    'می‌خواهم',
    'ه‍',
    'क्‍ष',
    'র‌্য',
    'ന്‍',
    'ශ්‍රී',
    'ᠠ᠋',
    '葛󠄁城',
    'שלום C++\u200E!',
    'نور\u200F.',
    'क्‍ष',
    '全角　スペース',
  ])('keeps %j', (text) => {
    expect(cleanLine(text)).toBe(text)
  })

  test('repeated, changes nothing; and its result has no control, no line break and no direction', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = cleanLine(text)
        expect(cleanLine(line)).toBe(line)
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069\uFEFF\u200B]/u)
        expect(line).toBe(line.trim())
      }),
    )
  })

  test('takes linear time', () => {
    for (const text of ['क\u200C', '\u202E', '👩\u200D', '\u200B', ' ', '\u{1F3F4}\u{E0067}']) {
      expect(cleanLine(text.repeat(50_000)).length).toBeLessThanOrEqual(text.length * 50_000)
    }
  })
})

describe('cleanText', () => {
  test.each([
    ['a\u000Bb\u0085c\u2028d\u2029e\ff\rg\r\nh', 'a\nb\nc\nd\ne\nf\ng\nh'],
    ['\u0093quoted\u0094', 'quoted'],
    ['it\u0092s', 'it s'],
    ['\uFEFFa\uFEFFb', 'ab'],
    ['a\u202Eb\nc', 'a\u202Eb\u202C\nc'],
    ['a\u2067b\u202Dc', 'a\u2067b\u202Dc\u202C\u2069'],
    ['a\u202Cb\u2069c', 'abc'],
    ['\u2066a\u202Bb\u2069c', '\u2066a\u202Bb\u202C\u2069c'],
    ['\u202Aa\u2069b\u202C', '\u202Aab\u202C'],
    ['keep\u200B this\tand\n\nthat', 'keep\u200B this\tand\n\nthat'],
  ])('turns %j into %j', (text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned)
  })

  test('repeated, changes nothing; and each line ends the direction that it begins', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cleaned = cleanText(text)
        expect(cleanText(cleaned)).toBe(cleaned)
        expect(cleaned).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cs}\u2028\u2029\uFEFF]/u)
        for (const line of cleaned.split('\n')) {
          const count = (characters: RegExp) => line.match(characters)?.length ?? 0
          expect(count(/[\u202A\u202B\u202D\u202E]/g)).toBe(count(/\u202C/g))
          expect(count(/[\u2066-\u2068]/g)).toBe(count(/\u2069/g))
        }
      }),
    )
  })
})

test.each([
  ['a\u0007', 'line', 'Line 1, column 2 (U+0007)'],
  ['👩a\r\n👩\u001B', 'text', 'Line 2, column 2 (U+001B)'],
  ['a\u0093', 'line', 'Line 1, column 2 (U+0093)'],
  ['a\u0093\u000B\u0085', 'text', undefined],
  ['a\tb\nc\u000B', 'line', undefined],
] as const)('the first control character of %j as a %s is at %j', (text, kind, position) => {
  expect(positionOfControl(text, kind)).toBe(position)
})

test.each(['', ' ', '\u200B\u2060\uFEFF', '\u3164', '\u2800', '\u202E'])('%j is blank', (text) => {
  expect(isBlank(text)).toBe(true)
})

describe('firstLine', () => {
  test.each([
    ['Fix doors\n\nThey opened twice.', 'Fix doors'],
    ['\n\n  \u200B\r\nFix\tdoors\u0007', 'Fix doors'],
    ['\u202EFix', 'Fix'],
    ['', ''],
    [' \n ', ''],
    [`${'x'.repeat(199)}👨‍👩‍👧`, 'x'.repeat(199)],
    ['word '.repeat(60), 'word '.repeat(40).trim()],
  ])('of %j is %j', (text, line) => {
    expect(firstLine(text, 200)).toBe(line)
  })

  test('is a line within the limit, whatever the text is', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const line = firstLine(text, limit)
        expect(cleanLine(line)).toBe(line)
        expect(countCharacters(line)).toBeLessThanOrEqual(limit)
      }),
    )
  })
})

test('a text is cut between graphemes, by characters or by bytes', () => {
  expect(cutCharacters('ab👨‍👩‍👧c', 6)).toBe('ab')
  expect(cutCharacters('ab👨‍👩‍👧c', 7)).toBe('ab👨‍👩‍👧')
  expect(cutCharacters('e\u0301', 1)).toBe('')
  expect(cutBytes('漢'.repeat(100), 255)).toBe('漢'.repeat(85))
  expect(cutBytes('ab', 2)).toBe('ab')
  expect(cutBytes('a\u0301b', 2)).toBe('')
})
