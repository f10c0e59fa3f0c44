import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BulkBuilder, WordTable } from '../src/catalogue-index.ts'
import { makeDocument, NO_FILTER, SCHEMA } from './support.ts'

describe('the bulk builder', () => {
  test('takes thousands of tags and more words than most documents have', () => {
    const builder = new BulkBuilder(SCHEMA, { maxId: 70 })
    for (let id = 1; id <= 9000; id++) builder.addTag({ id, name: `tag${id}` })
    const words = new Map(Array.from({ length: 200 }, (_, i) => [`word${i}`, i % 4]))
    for (let id = 1; id <= 70; id++) builder.add(makeDocument(id, words, { author: id, tags: [9000 - id] }))
    const index = builder.finish()
    expect(index.size).toBe(70)
    const page = { sort: 'newest', order: 'asc', offset: 0, limit: 100 } as const
    const filter = { ...NO_FILTER, ...page }
    for (const id of [1, 33, 70]) {
      expect(index.find({ ...filter, tags: [`tag${9000 - id}`] })).toEqual({ ids: [id], total: 1 })
      expect(index.find({ ...filter, author: id })).toEqual({ ids: [id], total: 1 })
    }
    expect(index.find({ ...filter, words: ['word199'] }).total).toBe(70)
  })

  test('throws for an unknown tag', () => {
    const builder = new BulkBuilder(SCHEMA, { maxId: 1 })
    expect(() => builder.add(makeDocument(1, new Map(), { tags: [5] }))).toThrow('unknown tag 5')
  })
})

describe('the word table', () => {
  const encoder = new TextEncoder()

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

  const anyWords = fc.array(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).filter((word) => word.isWellFormed()),
  )

  test('numbers words in the order of their first appearance', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const table = new WordTable()
        const numbers = numberAll(table, words)
        expect(numbers).toEqual(numberNaively(words))
        expect(numbers.map((number) => table.word(number))).toEqual(words)
      }),
    )
  })

  test('grows with many words and with long ones', () => {
    const table = new WordTable()
    const words = Array.from({ length: 30_000 }, (_, i) => `word${i}${'é'.repeat(i % 40)}`)
    const expected = [...words.keys()]
    expect(numberAll(table, words)).toEqual(expected)
    expect(numberAll(table, words)).toEqual(expected)
    expect(words.map((_, i) => table.word(i))).toEqual(words)
  })
})
