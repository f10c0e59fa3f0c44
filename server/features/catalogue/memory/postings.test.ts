import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasBit } from '@scriptyard/catalogue-index'
import { Postings } from './postings.ts'

const SPAN = 4000

/** How many scripts each term has; with so many ids some become bits and others stay lists. */
const counts = fc.array(fc.oneof(fc.nat(5), fc.nat(400), fc.nat(SPAN)), { minLength: 1, maxLength: 6 })
/** Every `step`-th id, so that they are spread. */
const idsOf = (count: number) => {
  const step = Math.max(1, Math.floor(SPAN / Math.max(count, 1)))
  return Array.from({ length: count }, (_, at) => 1 + ((at * step) % SPAN)).filter((id, at) => id === 1 + at * step)
}

function open(terms: number): Postings {
  const postings = new Postings()
  postings.span = SPAN
  for (let term = 0; term < terms; term++) postings.create()
  return postings
}

function listOf(postings: Postings, term: number): number[] {
  const { list, bits } = postings.set(term)
  if (!bits) return [...(list ?? [])]
  return Array.from({ length: SPAN + 1 }, (_, id) => id).filter((id) => hasBit(bits, id))
}

test('filled at once they are what they are when scripts are added one after the other, and go on from there', () => {
  fc.assert(
    fc.property(counts, fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: SPAN }))), (lengths, changes) => {
      const lists = lengths.map(idsOf)
      const [filled, added] = [open(lists.length), open(lists.length)]
      filled.fill(
        Uint32Array.from(lists, (list) => list.length),
        (add) => lists.forEach((list, term) => list.forEach((id) => add(term, id))),
      )
      lists.forEach((list, term) => list.forEach((id) => added.add(term, id)))
      for (const [place, id] of changes) {
        const term = place % lists.length
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

test('a list that would not fit into a page becomes bits', () => {
  const postings = open(1)
  postings.span = 40_000_000
  for (let id = 1; id <= 300_000; id++) postings.add(0, id * 100)
  expect(postings.set(0).bits).toBeDefined()
  expect(postings.has(0, 30_000_000)).toBe(true)
  expect(postings.has(0, 29_999_999)).toBe(false)
})
