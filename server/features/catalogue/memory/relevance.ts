import { PLACE_WEIGHTS, WHOLE } from '../relevance-weights.ts'
import { listBits } from './bits.ts'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Window } from './page.ts'
import type { IdSet } from './postings.ts'
import type { Scratch } from './scratch.ts'
import type { Scores } from './word-scores.ts'
import { longFor } from './word-set.ts'

interface Weighed {
  set: IdSet
  weight: number
}

/** The ids of a set in some places of the order of relevance, ascending: score, downloads, id. */
export function pickRelevant(
  index: MemoryIndex,
  set: IdSet,
  words: readonly string[],
  window: Window,
  scratch: Scratch,
): number[] {
  if (window.from >= window.to) return []
  const ids = set.list?.slice() ?? new Uint32Array(set.count)
  if (set.bits) listBits(set.bits, ids)
  const scores = scoreAll(index, ids, words, scratch)
  const counts = new Uint32Array(PLACE_WEIGHTS[0] * WHOLE * words.length + 1)
  for (let at = 0; at < ids.length; at++) {
    const score = scores[at] ?? 0
    counts[score] = (counts[score] ?? 0) + 1
  }
  const picked: number[] = []
  let from = 0
  for (const [score, count] of counts.entries()) {
    const within = { from: Math.max(window.from - from, 0), to: Math.min(window.to - from, count) }
    from += count
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

/** The scores of these scripts, in their order. */
function scoreAll(index: MemoryIndex, ids: Uint32Array, words: readonly string[], scratch: Scratch): Uint16Array {
  const scores = new Uint16Array(ids.length)
  for (const word of words) {
    const best = index.scores.get(word) ?? scoreWord(index, word, scratch)
    for (let at = 0; at < ids.length; at++) scores[at] = (scores[at] ?? 0) + (best[ids[at] ?? 0] ?? 0)
  }
  return scores
}

function scoreWord(index: MemoryIndex, word: string, scratch: Scratch): Scores {
  const sets = weigh(index, word)
  const entries = sets.reduce((sum, { set }) => sum + set.count, 0)
  if (entries < longFor(index.postings.span)) return writeScores(sets, scratch.takeBest())
  const scores = writeScores(sets, new Uint8Array(index.postings.span + (index.postings.span >>> 3) + 64))
  index.scores.keep(word, scores)
  return scores
}

/** The scripts of words that begin like this one, by place, the lightest first. */
function weigh({ vocabulary, postings }: MemoryIndex, word: string): Weighed[] {
  const weighed: Weighed[] = []
  vocabulary.eachBeginning(word, (number) => {
    const whole = vocabulary.words[number] === word ? WHOLE : 1
    for (const [place, weight] of PLACE_WEIGHTS.entries()) {
      const term = vocabulary.termAt(number, place)
      if (term >= 0) weighed.push({ set: postings.set(term), weight: weight * whole })
    }
    return true
  })
  return weighed.toSorted((a, b) => a.weight - b.weight)
}

/** Heavier ones come later and write over what lighter ones left. */
function writeScores(sets: readonly Weighed[], into: Scores): Scores {
  for (const { set, weight } of sets) {
    const { list, bits } = set
    if (list) for (let at = 0; at < list.length; at++) into[list[at] ?? 0] = weight
    if (!bits) continue
    for (let at = 0; at < bits.length; at++) {
      for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
        into[(at << 5) + 31 - Math.clz32(word & -word)] = weight
      }
    }
  }
  return into
}
