import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WordTable } from './word-table.ts'

const encoder = new TextEncoder()

/** Numbers words that stand side by side in one text. */
function numberAll(table: WordTable, words: readonly string[]): number[] {
  const bytes = encoder.encode(words.join(' '))
  let from = 0
  return words.map((word) => {
    const to = from + encoder.encode(word).length
    const number = table.numberOf(bytes, from, to)
    from = to + 1
    return number
  })
}

function numberNaively(words: readonly string[]): number[] {
  const known = [...new Set(words)]
  return words.map((word) => known.indexOf(word))
}

const words = fc.array(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).filter((word) => word.isWellFormed()),
)

test('numbers words in the order in which they come first, each once', () => {
  fc.assert(
    fc.property(words, (given) => {
      const table = new WordTable()
      const numbers = numberAll(table, given)
      expect(numbers).toEqual(numberNaively(given))
      expect(numbers.map((number) => table.word(number))).toEqual(given)
    }),
  )
})

test('grows with very many words, and with long ones', () => {
  const table = new WordTable()
  const given = Array.from({ length: 30_000 }, (_, at) => `word${at}${'é'.repeat(at % 40)}`)
  const expected = [...given.keys()]
  expect(numberAll(table, given)).toEqual(expected)
  expect(numberAll(table, given)).toEqual(expected)
  expect(given.map((_, at) => table.word(at))).toEqual(given)
})
