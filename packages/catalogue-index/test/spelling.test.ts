import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSimilarWords, rankSimilar } from '../src/facets.ts'
import { IndexData } from '../src/index-data.ts'
import { SCHEMA } from './support.ts'

/** The distance of two words by the full table, each prefix against each prefix. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) => Array.from({ length: other.length + 1 }, () => row))
  const cell = (row: number, column: number) => table[row]?.[column] ?? 0
  for (let row = 0; row <= one.length; row++) {
    for (let column = 0; column <= other.length; column++) {
      const costs = [row === 0 ? column : column === 0 ? row : Infinity]
      if (row > 0) costs.push(cell(row - 1, column) + 1)
      if (column > 0) costs.push(cell(row, column - 1) + 1)
      if (row > 0 && column > 0) costs.push(cell(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1))
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwapped) costs.push(cell(row - 2, column - 2) + 1)
      ;(table[row] ?? [])[column] = Math.min(...costs)
    }
  }
  return cell(one.length, other.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '日'), minLength: 1, maxLength: 9 })

test('finds the words that a comparison with every word finds', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), word, (known, wanted) => {
      const index = new IndexData(SCHEMA)
      for (const [i, own] of known.entries()) index.postings.add(index.vocabulary.term(own, 0), i + 1)
      const max = wanted.length < 3 ? 0 : wanted.length < 6 ? 1 : 2
      const expected = known
        .filter((own) => max > 0 && distance(wanted, own) <= max)
        .toSorted((a, b) => distance(wanted, a) - distance(wanted, b) || (a < b ? -1 : 1))
      expect(rankSimilar(findSimilarWords(index, wanted))).toEqual(expected.slice(0, 3))
    }),
    { numRuns: 500 },
  )
})

test('compares words of at most 250 letters', () => {
  const index = new IndexData(SCHEMA)
  const long = 'b'.repeat(252)
  for (const [i, own] of ['a', 'ab', long].entries()) index.postings.add(index.vocabulary.term(own, 0), i + 1)
  expect(findSimilarWords(index, 'b'.repeat(250))).toEqual([{ word: long, distance: 2, documents: 1 }])
  for (const length of [251, 256, 257, 513]) {
    expect(findSimilarWords(index, 'b'.repeat(length))).toEqual([])
    expect(findSimilarWords(index, 'a'.repeat(length))).toEqual([])
  }
})
