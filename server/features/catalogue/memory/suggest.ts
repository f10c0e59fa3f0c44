import type { CatalogueFilter } from '#server/features/catalogue/query.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { Scratch } from './scratch.ts'
import { select } from './select.ts'
import { similarWords } from './similar-words.ts'

/** With more unknown words than this nobody could guess what was meant. */
const MOST_UNKNOWN = 2

/**
 * The words that were probably meant: those that nobody uses, exchanged for similar ones with which the filter leaves
 * something. Undefined when there is nothing to exchange or nothing better.
 */
export function suggestWords(index: MemoryIndex, scratch: Scratch, filter: CatalogueFilter): string[] | undefined {
  const unknown = filter.words.filter((word) => !index.vocabulary.hasBeginning(word))
  if (unknown.length === 0 || unknown.length > MOST_UNKNOWN) return undefined
  let guesses = [filter.words]
  for (const word of unknown) {
    const similar = similarWords(index, word)
    guesses = guesses.flatMap((words) => similar.map((other) => words.map((one) => (one === word ? other : one))))
  }
  return guesses.find((words) => select(index, scratch, { ...filter, words }).count > 0)
}
