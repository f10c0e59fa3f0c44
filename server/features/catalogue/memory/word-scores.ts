import { PLACE_WEIGHTS, WHOLE } from '../relevance-weights.ts'
import { beginsWith, eachWord, type IndexRow } from './row.ts'

/** By id, what the best place of a word is worth; 0 where it does not stand. */
export type Scores = Uint8Array

const MOST = 16
const encoder = new TextEncoder()

/** What the word or beginning is worth in a script with these words. */
function scoreIn({ words }: IndexRow, word: string): number {
  const beginning = encoder.encode(word)
  let best = 0
  eachWord(words, (from, to, place) => {
    if (!beginsWith(words, from, beginning)) return
    best = Math.max(best, (PLACE_WEIGHTS[place] ?? 0) * (to - from === beginning.length ? WHOLE : 1))
  })
  return best
}

/** The scores of words that many scripts have, kept and changed along with their scripts. */
export class WordScores {
  readonly #kept = new Map<string, Scores>()

  get(word: string): Scores | undefined {
    const scores = this.#kept.get(word)
    if (!scores) return undefined
    this.#kept.delete(word)
    this.#kept.set(word, scores)
    return scores
  }

  keep(word: string, scores: Scores): void {
    this.#kept.set(word, scores)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST) break
      this.#kept.delete(oldest)
    }
  }

  /** After a script was changed or, without a row, taken out. */
  update(id: number, row: IndexRow | undefined): void {
    for (const [word, scores] of this.#kept) {
      const score = row ? scoreIn(row, word) : 0
      if (id < scores.length) scores[id] = score
      else if (score > 0) this.#kept.delete(word)
    }
  }
}
