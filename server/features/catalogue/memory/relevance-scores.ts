import { PLACE_WEIGHTS, WHOLE } from '#server/features/catalogue/relevance-weights.ts'
import { hasBit, listBits } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Places, placesIn } from './page.ts'
import { type IdSet, lowerBound } from './postings.ts'
import type { Scratch } from './scratch.ts'
import type { Level, WordWorth } from './worth.ts'

/** So many looks into a set take as long as going through all scripts of a word. */
const FEW_LOOKS = 10_000

/** Whether it is quicker to look for each of so many scripts into each set of a word than to go through the sets. */
export const areFew = (scripts: number, { setCount }: WordWorth) => scripts * setCount < FEW_LOOKS

/** The ids in some places of the order of relevance, ascending, each script scored by itself. */
export function pickByScores(index: MemoryIndex, words: readonly WordWorth[], places: Places): number[] {
  const { set, window, scratch } = places
  const ids = set.list?.slice() ?? new Uint32Array(set.count)
  if (set.bits) listBits(set.bits, ids)
  const scores = scoreAll(ids, words, scratch)
  const counts = new Uint32Array(PLACE_WEIGHTS[0] * WHOLE * words.length + 1)
  for (let at = 0; at < ids.length; at++) {
    const score = scores[at] ?? 0
    counts[score] = (counts[score] ?? 0) + 1
  }
  const picked: number[] = []
  let first = 0
  for (const [score, count] of counts.entries()) {
    const within = placesIn(window, first, count)
    first += count
    if (within.from >= within.to) continue
    const list = equals(ids, scores, score, count)
    picked.push(...pick({ count, list }, index.orders.download_count, within, scratch))
  }
  return picked
}

function equals(ids: Uint32Array, scores: Uint16Array, score: number, count: number): Uint32Array {
  const list = new Uint32Array(count)
  let found = 0
  for (let at = 0; at < ids.length; at++) if (scores[at] === score) list[found++] = ids[at] ?? 0
  return list
}

/** The scores of these scripts, in their order: the sums over the words of what their best places are worth. */
function scoreAll(ids: Uint32Array, words: readonly WordWorth[], scratch: Scratch): Uint16Array {
  const scores = new Uint16Array(ids.length)
  for (const word of words) {
    if (!word.levels && areFew(ids.length, word)) {
      addEach(scores, ids, word)
      continue
    }
    const levels = word.takeLevels(scratch)
    if (levels) for (const level of levels) addLevel(scores, ids, level)
    else addFromAll(scores, ids, word, scratch.takeBest())
  }
  return scores
}

/** Looks for each script into each set until it is found. */
function addEach(scores: Uint16Array, ids: Uint32Array, word: WordWorth): void {
  const left = ids.slice()
  const places = new Uint32Array(ids.keys())
  let count = ids.length
  for (const [worth, sets] of word.sets) {
    for (const set of sets) {
      let kept = 0
      const isIn = lookingInto(set)
      for (let at = 0; at < count; at++) {
        const [id, place] = [left[at] ?? 0, places[at] ?? 0]
        if (isIn(id)) scores[place] = (scores[place] ?? 0) + worth
        else {
          left[kept] = id
          places[kept++] = place
        }
      }
      count = kept
    }
  }
}

/** For ids that come in order. */
function lookingInto({ list = new Uint32Array(), bits }: IdSet): (id: number) => boolean {
  if (bits) return (id) => hasBit(bits, id)
  let from = 0
  return (id) => {
    let step = 1
    while (from + step < list.length && (list[from + step] ?? 0) < id) step <<= 1
    from = lowerBound(list, id, from, Math.min(from + step, list.length))
    return list[from] === id
  }
}

/** Both are in order, so a list is gone through once. Bits are added without a branch, which chance would make slow. */
function addLevel(scores: Uint16Array, ids: Uint32Array, { worth, ids: { list, bits } }: Level): void {
  if (bits) {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0
      scores[at] = (scores[at] ?? 0) + worth * (((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1)
    }
  } else if (list) {
    let at = 0
    for (let place = 0; place < list.length && at < ids.length; place++) {
      const id = list[place] ?? 0
      while (at < ids.length && (ids[at] ?? 0) < id) at++
      if (ids[at] === id) scores[at] = (scores[at] ?? 0) + worth
    }
  }
}

/** Writes down what all scripts of a word are worth, the most first, which stays, and reads these scripts' part. */
function addFromAll(scores: Uint16Array, ids: Uint32Array, word: WordWorth, best: Uint8Array): void {
  for (const [worth, sets] of word.sets) {
    for (const { list, bits } of sets) {
      if (list) for (let at = 0; at < list.length; at++) best[list[at] ?? 0] ||= worth
      if (bits) for (let id = 0; id < best.length; id++) if (hasBit(bits, id)) best[id] ||= worth
    }
  }
  for (let at = 0; at < ids.length; at++) scores[at] = (scores[at] ?? 0) + (best[ids[at] ?? 0] ?? 0)
}
