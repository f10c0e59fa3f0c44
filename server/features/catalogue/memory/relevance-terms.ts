import { type Bits, popcount } from '@scriptyard/catalogue-index'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Places, placesIn } from './page.ts'
import { addTo } from './word-set.ts'
import type { WordWorth } from './worth.ts'

/**
 * The ids of a set in some places of the order of relevance, ascending, for one word: what it is worth most in comes first,
 * and what is worth less is not looked at once the places are found.
 */
export function pickByTerms(index: MemoryIndex, word: WordWorth, { set, window, scratch }: Places): number[] {
  const rest = scratch.takeBits()
  addTo(rest, set)
  const levels = [...word.sets.values()].filter((sets) => sets.length > 0)
  const parts: number[][] = []
  let from = set.count
  for (const [at, sets] of levels.entries()) {
    // What nothing better has taken is all of the last level.
    const isLast = at === levels.length - 1
    const level = isLast ? rest : scratch.takeBits()
    if (!isLast) for (const some of sets) addTo(level, some)
    const count = isLast ? from : moveCommon(rest, level)
    from -= count
    const within = placesIn(window, from, count)
    if (within.from < within.to) {
      parts.push(pick({ count, bits: level }, index.orders.download_count, within, scratch))
    }
    if (from <= window.from) break
  }
  return parts.toReversed().flat()
}

/** Leaves in `level` what is in `rest` too, takes that out of `rest` and tells how much it is. */
function moveCommon(rest: Bits, level: Bits): number {
  let count = 0
  for (let at = 0; at < level.length; at++) {
    const left = rest[at] ?? 0
    const common = left & (level[at] ?? 0)
    level[at] = common
    if (common === 0) continue
    rest[at] = left & ~common
    count += popcount(common)
  }
  return count
}
