import { FLAGS, type Flag, partnerOf } from '#contract/catalogue-names.ts'
import type { Facets } from '#contract/catalogue.ts'
import type { CatalogueFilter } from '#server/features/catalogue/query.ts'
import { flagsWith } from '#server/features/catalogue/listing-rules.ts'
import { countMeeting } from './meeting.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { Scratch } from './scratch.ts'
import { flagSets, meet, wantedText } from './select.ts'
import { countTags } from './tag-counts.ts'

const FACET_TAGS = 20

const inOrder = (counts: ReadonlyMap<Flag, number>) =>
  Object.fromEntries(FLAGS.map((flag) => [flag, counts.get(flag) ?? 0])) as Record<Flag, number>

/** What each further filter would leave. */
export function findFacets(index: MemoryIndex, scratch: Scratch, filter: CatalogueFilter): Facets {
  scratch.begin(index.postings.span)
  const counts = new Map<Flag, number>()
  const text = wantedText(index, scratch, filter)
  if (!text) return { total: 0, flags: inOrder(counts), tags: [] }
  const withFlags = (flags: readonly Flag[]) =>
    meet(index, scratch, { ...text, sets: [...text.sets, ...flagSets(index, flags)] })
  const left = withFlags(filter.flags)
  const total = left.count
  const isReplacing = (flag: Flag) => filter.flags.some((on) => on === partnerOf(flag))
  for (const flag of FLAGS) {
    if (!isReplacing(flag)) counts.set(flag, countMeeting(left, index.postings.set(index.labels.flag(flag))))
  }
  const tags = countTags(index, left, FACET_TAGS)
  // Last, because these use the scratch that `left` may stand in.
  for (const flag of FLAGS) {
    if (isReplacing(flag)) counts.set(flag, withFlags(flagsWith(filter.flags, flag)).count)
  }
  return { total, flags: inOrder(counts), tags }
}
