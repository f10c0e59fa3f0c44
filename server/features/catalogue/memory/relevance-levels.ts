import { countMeeting } from './meeting.ts'
import type { MemoryIndex } from './memory-index.ts'
import { pick, type Places, placesIn } from './page.ts'
import type { IdSet } from './postings.ts'
import type { Scratch } from './scratch.ts'
import { meet } from './select.ts'
import { addTo } from './word-set.ts'
import type { Level } from './worth.ts'

/** Two sets whose common scripts have a score. */
interface Meeting {
  score: number
  one: IdSet
  other: IdSet
}

/**
 * The ids of a set in some places of the order of relevance, from the levels of each of the words: scores are sums of what
 * the words are worth, so where levels meet all have one score. Goes through the scores from the nearer end until the
 * places are found; nothing is scored one by one.
 */
export function pickByLevels(index: MemoryIndex, words: readonly (readonly Level[])[], places: Places): number[] {
  const { set, window, scratch } = places
  const isFromTop = set.count - window.to < window.from
  const scores = [...groupByScore(meetings(index, words, places))]
  scores.sort(([a], [b]) => (isFromTop ? b - a : a - b))
  const parts: number[][] = []
  let passed = 0
  for (const [, met] of scores) {
    const counts = met.map(({ one, other }) => countMeeting(one, other))
    const count = counts.reduce((sum, some) => sum + some, 0)
    const first = isFromTop ? set.count - passed - count : passed
    const within = placesIn(window, first, count)
    if (within.from < within.to) {
      const found = unite(
        index,
        met.filter((_, at) => (counts[at] ?? 0) > 0),
        count,
        scratch,
      )
      parts.push(pick(found, index.orders.download_count, within, scratch))
    }
    passed += count
    if (isFromTop ? set.count - passed <= window.from : passed >= window.to) break
  }
  return (isFromTop ? parts.toReversed() : parts).flat()
}

/** The set split by the levels of all words but the last, each part to meet each level of that one. */
function meetings(index: MemoryIndex, words: readonly (readonly Level[])[], { set, scratch }: Places): Meeting[] {
  let parts: Level[] = [{ worth: 0, ids: ownOf(set) }]
  for (const levels of words.slice(0, -1)) {
    parts = parts.flatMap((part) =>
      levels.map((level) => {
        const sets = [part.ids, level.ids]
        return { worth: part.worth + level.worth, ids: ownOf(meet(index, scratch, { sets, thresholds: [] })) }
      }),
    )
  }
  const last = words.at(-1) ?? []
  return parts.flatMap((part) =>
    part.ids.count === 0
      ? []
      : last.map((level) => ({ score: part.worth + level.worth, one: part.ids, other: level.ids })),
  )
}

/** There is one list for what a query leaves; the next one would write over it. */
function ownOf({ count, list, bits }: IdSet): IdSet {
  return bits ? { count, bits } : { count, list: (list ?? new Uint32Array()).slice(0, count) }
}

function groupByScore(all: readonly Meeting[]): Map<number, Meeting[]> {
  const groups = new Map<number, Meeting[]>()
  for (const meeting of all) {
    const known = groups.get(meeting.score)
    if (known) known.push(meeting)
    else groups.set(meeting.score, [meeting])
  }
  return groups
}

function unite(index: MemoryIndex, met: readonly Meeting[], count: number, scratch: Scratch): IdSet {
  const common = ({ one, other }: Meeting) => meet(index, scratch, { sets: [one, other], thresholds: [] })
  const [only, ...others] = met
  if (only && others.length === 0) return common(only)
  const bits = scratch.takeBits()
  for (const meeting of met) addTo(bits, common(meeting))
  return { count, bits }
}
