import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryIndex } from './memory-index.ts'
import { similarWords } from './similar-words.ts'

/** How many mistakes lie between two words, the slow way: every prefix against every prefix. */
function mistakes(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) => Array.from({ length: other.length + 1 }, () => row))
  const at = (row: number, column: number) => table[row]?.[column] ?? 0
  for (let row = 0; row <= one.length; row++) {
    for (let column = 0; column <= other.length; column++) {
      const ways = [row === 0 ? column : column === 0 ? row : Infinity]
      if (row > 0) ways.push(at(row - 1, column) + 1)
      if (column > 0) ways.push(at(row, column - 1) + 1)
      if (row > 0 && column > 0) ways.push(at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1))
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwapped) ways.push(at(row - 2, column - 2) + 1)
      ;(table[row] ?? [])[column] = Math.min(...ways)
    }
  }
  return at(one.length, other.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '日'), minLength: 1, maxLength: 9 })

test('finds the nearest words as a comparison with every one does', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), word, (known, asked) => {
      const index = new MemoryIndex()
      for (const [id, own] of known.entries()) index.postings.add(index.vocabulary.term(own, 0), id + 1)
      const most = asked.length < 3 ? 0 : asked.length < 6 ? 1 : 2
      const expected = known
        .filter((own) => most > 0 && mistakes(asked, own) <= most)
        .toSorted((a, b) => mistakes(asked, a) - mistakes(asked, b) || (a < b ? -1 : 1))
      expect(similarWords(index, asked)).toEqual(expected.slice(0, 3))
    }),
    { numRuns: 2000 },
  )
})
