import type { MemoryIndex } from './memory-index.ts'
import type { Places } from './page.ts'
import { pickByLevels } from './relevance-levels.ts'
import { areFew, pickByScores } from './relevance-scores.ts'
import { pickByTerms } from './relevance-terms.ts'
import { longFor } from './word-set.ts'
import { WORTHS, WordWorth } from './worth.ts'

/** The levels of more words are too many to meet each with each. */
const MOST_MET = 3
/** What so many entries leave by worth is kept; of fewer it is as quick to make. */
const veryMany = (span: number) => span >>> 2

/** The ids in some places of the order of relevance, ascending: score, downloads, id. */
export function pickRelevant(index: MemoryIndex, words: readonly string[], places: Places): number[] {
  const { set, window, scratch } = places
  if (window.from >= window.to) return []
  const asked = words.map((word) => new WordWorth(index, word))
  const [only, ...others] = asked
  if (only && others.length === 0 && isMadeAsQuickly(index, only, set.count)) return pickByTerms(index, only, places)
  if (isMetSooner(set.count, index.postings.span, words.length)) {
    const levels = asked.flatMap((word) => {
      const known = word.takeLevels(scratch)
      return known ? [known] : []
    })
    if (levels.length === asked.length) return pickByLevels(index, levels, places)
  }
  return pickByScores(index, asked, places)
}

/** Neither so rare that its scripts are scored one by one, nor so common that its levels are kept. */
function isMadeAsQuickly({ postings }: MemoryIndex, word: WordWorth, scripts: number): boolean {
  if (word.levels || areFew(scripts, word)) return false
  return word.entries >= longFor(postings.span) && word.entries < veryMany(postings.span)
}

/** Whether meeting all levels of each word with those of all others is less work than scoring each script, about. */
function isMetSooner(count: number, span: number, words: number): boolean {
  const meeting = WORTHS.length ** words * Math.min(count, span >>> 6)
  const scoring = count * WORTHS.length * (words + 1)
  return words <= MOST_MET && meeting < scoring
}
