import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CatalogueDocument, encodeWords } from '../src/schema.ts'
import { DocumentWriter, readDocuments } from '../src/shards/documents.ts'
import { Partition } from '../src/shards/partition.ts'
import { SCHEMA } from './support.ts'

describe('the partition', () => {
  const shards = fc.integer({ min: 1, max: 9 })

  test('gives each of N shards one of N consecutive ids, in their order', () => {
    fc.assert(
      fc.property(shards, fc.integer({ min: 0, max: 1e8 }), (count, block) => {
        const partition = new Partition(count)
        const ids = Array.from({ length: count }, (_, i) => block * count + i)
        expect(new Set(ids.map((id) => partition.shardOf(id))).size).toBe(count)
        for (const id of ids) {
          expect(partition.localId(id)).toBe(block + 1)
          expect(partition.id(block + 1, partition.shardOf(id))).toBe(id)
        }
      }),
    )
  })

  test('compares ids of other shards with local ids', () => {
    fc.assert(
      fc.property(shards, fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (count, id, other) => {
        const partition = new Partition(count)
        const position = partition.localPosition(id, partition.shardOf(other))
        expect(Math.sign(partition.localId(other) - position)).toBe(Math.sign(other - id))
      }),
    )
  })

  test('spreads ids that have a pattern', () => {
    const partition = new Partition(4)
    const counts = [0, 0, 0, 0]
    for (let id = 0; id < 40_000; id += 4) counts[partition.shardOf(id)] = (counts[partition.shardOf(id)] ?? 0) + 1
    expect(Math.min(...counts)).toBeGreaterThan(2300)
  })

  test('rejects an invalid number of shards', () => {
    for (const count of [0, -1, 1.5, NaN]) expect(() => new Partition(count)).toThrow(RangeError)
  })
})

test('documents are the same after encoding and decoding', () => {
  const document = fc.record({
    id: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    author: fc.nat(),
    flags: fc.nat(2 ** 31 - 1),
    tags: fc.array(fc.nat()),
    labels: fc.array(fc.string({ unit: 'grapheme' })),
    words: fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(3)), {
      selector: ([word]) => word,
    }),
    titleKey: fc.uint8Array(),
    values: fc.record(
      { downloads: fc.integer(), shown: fc.oneof(fc.constant(-Infinity), fc.double({ noNaN: true })) },
      { requiredKeys: [] },
    ),
  })
  const plain = ({ words, titleKey, labels, ...rest }: CatalogueDocument) => {
    const found: [string, number][] = []
    words.forEach((bytes, from, to, field) => found.push([Buffer.from(bytes.subarray(from, to)).toString(), field]))
    return { ...rest, labels, words: found, titleKey: [...titleKey] }
  }
  fc.assert(
    fc.property(fc.array(document), (made) => {
      const documents = made.map(({ words, ...rest }) => ({ ...rest, words: encodeWords(words) }))
      const writer = new DocumentWriter(SCHEMA)
      for (const one of documents) writer.write(one)
      const decoded = Array.from(readDocuments(Buffer.from(writer.take()), SCHEMA), plain)
      expect(decoded).toEqual(documents.map(plain))
      expect(writer.length).toBe(0)
    }),
  )
})
