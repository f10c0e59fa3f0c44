import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasBit } from '../src/id-set.ts'
import { Postings } from '../src/postings.ts'
import type { IndexTuning } from '../src/schema.ts'
import { TUNINGS } from './support.ts'

const MAX_ID = 4000

/** Numbers of documents per term; of so many ids, some terms become bits and others stay lists. */
const counts = fc.array(fc.oneof(fc.nat(5), fc.nat(400), fc.nat(MAX_ID)), { minLength: 1, maxLength: 6 })
const idsOf = (count: number) => {
  const step = Math.max(1, Math.floor(MAX_ID / Math.max(count, 1)))
  return Array.from({ length: count }, (_, i) => 1 + ((i * step) % MAX_ID)).filter((id, i) => id === 1 + i * step)
}

function createPostings(terms: number, tuning?: IndexTuning): Postings {
  const postings = new Postings(tuning)
  postings.maxId = MAX_ID
  for (let term = 0; term < terms; term++) postings.create()
  return postings
}

function listOf(postings: Postings, term: number): number[] {
  const { list, bits } = postings.set(term)
  if (!bits) return [...(list ?? [])]
  return Array.from({ length: MAX_ID + 1 }, (_, id) => id).filter((id) => hasBit(bits, id))
}

describe.each(TUNINGS)('with %s thresholds', (_, tuning) => {
  test('filling postings equals adding one document after the other, also after changes', () => {
    fc.assert(
      fc.property(counts, fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: MAX_ID }))), (lengths, changes) => {
        const lists = lengths.map(idsOf)
        const [filled, added] = [createPostings(lists.length, tuning), createPostings(lists.length, tuning)]
        filled.fill(
          Uint32Array.from(lists, (list) => list.length),
          (add) => lists.forEach((list, term) => list.forEach((id) => add(term, id))),
        )
        lists.forEach((list, term) => list.forEach((id) => added.add(term, id)))
        for (const [i, id] of changes) {
          const term = i % lists.length
          for (const postings of [filled, added]) {
            if (postings.has(term, id)) postings.remove(term, id)
            else postings.add(term, id)
          }
        }
        for (const [term] of lists.entries()) {
          expect(listOf(filled, term)).toEqual(listOf(added, term))
          expect(filled.count(term)).toBe(added.count(term))
        }
      }),
    )
  })
})

test('a list that does not fit into a page becomes bits', () => {
  const postings = createPostings(1)
  postings.maxId = 40_000_000
  for (let id = 1; id <= 300_000; id++) postings.add(0, id * 100)
  expect(postings.set(0).bits).toBeDefined()
  expect(postings.has(0, 30_000_000)).toBe(true)
  expect(postings.has(0, 29_999_999)).toBe(false)
})
