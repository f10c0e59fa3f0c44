import type { TagCount } from '#contract/catalogue.ts'
import {
  BY_AUTHORS,
  type Completion,
  type CompletionQuery,
  TAGS,
  TITLES,
} from '#server/features/catalogue/completion.ts'
import type { MemoryIndex } from './memory-index.ts'
import { pick, windowOf } from './page.ts'
import type { IdSet } from './postings.ts'
import { havingBeginning } from './row.ts'
import type { Scratch } from './scratch.ts'
import { meet } from './select.ts'
import { commonest } from './tag-counts.ts'
import { addTo } from './word-set.ts'
import { countBits } from '@scriptyard/catalogue-index'

const TITLE = 0
const AUTHOR = 2
/** To go through so many that begin alike takes long enough to keep what they give. */
const MANY_WORDS = 512

export function complete(index: MemoryIndex, scratch: Scratch, { words, tag }: CompletionQuery): Completion {
  return {
    titles: findIn(index, scratch, words, TITLE, TITLES),
    byAuthors: findIn(index, scratch, words, AUTHOR, BY_AUTHORS),
    tags: findTags(index, tag),
  }
}

/** The most downloaded scripts that have all the words in one place. */
function findIn(index: MemoryIndex, scratch: Scratch, words: string[], place: number, most: number): number[] {
  if (words.length === 0) return []
  scratch.begin(index.postings.span)
  const sets = words.map((word) => setIn(index, scratch, word, place))
  const left = meet(index, scratch, { sets, thresholds: [] })
  return pick(left, index.orders.download_count, windowOf(left.count, true, 0, most), scratch).toReversed()
}

function setIn({ vocabulary, postings, derived }: MemoryIndex, scratch: Scratch, word: string, place: number): IdSet {
  const key = `place ${place} ${word}`
  const kept = derived.get(key)
  if (kept) return kept
  const sets: IdSet[] = []
  let beginnings = 0
  vocabulary.eachBeginning(word, (number) => {
    beginnings++
    const term = vocabulary.termAt(number, place)
    if (term >= 0) sets.push(postings.set(term))
    return true
  })
  const areMany = beginnings >= MANY_WORDS
  if (sets.length === 1 && sets[0] && !areMany) return sets[0]
  const bits = scratch.takeBits()
  for (const set of sets) addTo(bits, set)
  if (!areMany) return { count: countBits(bits), bits }
  return derived.add(key, bits.slice(), { isIn: havingBeginning(word, place), byCounts: false })
}

function findTags({ labels, postings }: MemoryIndex, tag: string): TagCount[] {
  if (tag === '') return []
  const fitting = labels.tags.filter(({ name }) => name.startsWith(tag))
  return commonest(
    fitting.map((known) => [known, postings.count(known.term)] as const),
    TAGS,
  )
}
