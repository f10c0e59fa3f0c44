import { PLACE_WEIGHTS, WHOLE } from '../relevance-weights.ts'
import { listBits } from './bits.ts'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Window } from './page.ts'
import type { IdSet } from './postings.ts'
import { pickByLevels } from './relevance-levels.ts'
import { areFew, scoreAll } from './relevance-scores.ts'
import { pickByTerms } from './relevance-terms.ts'
import type { Scratch } from './scratch.ts'
import { longFor } from './word-set.ts'
import { countEntries, keptLevels, makeLevels, setsByWorth, WORTHS } from './worth.ts'

/** The levels of more words are too many to meet each with each. */
const MOST_MET = 3
/** What so many entries leave by worth is kept; of fewer it is as quick to make. */
const veryMany = (span: number) => span >>> 2

/** The ids of a set in some places of the order of relevance, ascending: score, downloads, id. */
export function pickRelevant(
  index: MemoryIndex,
  set: IdSet,
  words: readonly string[],
  window: Window,
  scratch: Scratch,
): number[] {
  if (window.from >= window.to) return []
  const { span } = index.postings
  const kept = words.map((word) => keptLevels(index, word))
  const [word = '', ...others] = words
  if (others.length === 0 && !kept[0]) {
    const byWorth = setsByWorth(index, word)
    const entries = countEntries(byWorth)
    const isMade = entries >= longFor(span) && entries < veryMany(span) && !areFew(set.count, byWorth)
    if (isMade) return pickByTerms(index, set, byWorth, window, scratch)
  }
  if (isMetSooner(set.count, span, words.length)) {
    const levels = words.map((one, at) => kept[at] ?? makeLevels(index, scratch, one, setsByWorth(index, one)) ?? [])
    if (levels.every(({ length }) => length > 0)) return pickByLevels(index, set, levels, window, scratch)
  }
  return pickByScores(index, set, words, window, scratch)
}

/** Whether meeting all levels of each word with those of all others is less work than scoring each script, about. */
function isMetSooner(count: number, span: number, words: number): boolean {
  const meeting = WORTHS.length ** words * Math.min(count, span >>> 6)
  const scoring = count * WORTHS.length * (words + 1)
  return words <= MOST_MET && meeting < scoring
}

function pickByScores(
  index: MemoryIndex,
  set: IdSet,
  words: readonly string[],
  window: Window,
  scratch: Scratch,
): number[] {
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
