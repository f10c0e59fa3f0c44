import type { TagCount } from '#contract/catalogue.ts'
import { listBits } from '@scriptyard/catalogue-index'
import type { KnownTag } from './labels.ts'
import { countMeeting } from './meeting.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { IdSet } from './postings.ts'

type Counted = readonly [KnownTag, number]

/** Reading one script's tags takes as long as testing so many entries of tags. */
const RECORD = 40

/** The commonest tags of these scripts, equal ones by name. */
export function countTags(index: MemoryIndex, left: IdSet, most: number): TagCount[] {
  const { labels, postings } = index
  if (left.count === 0) return []
  if (left.count === index.size) {
    return commonest(
      labels.tags.map((tag) => [tag, postings.count(tag.term)] as const),
      most,
    )
  }
  let entries = 0
  for (const { term } of labels.tags) entries += postings.count(term)
  return commonest(left.count * RECORD < entries ? countRead(index, left) : countMet(index, left, most), most)
}

/** From the scripts' own records. */
function countRead({ labels, records }: MemoryIndex, { list, bits, count }: IdSet): Counted[] {
  const ids = list ?? new Uint32Array(count)
  if (bits) listBits(bits, ids)
  const counts = new Uint32Array(1 + labels.tags.reduce((last, { term }) => Math.max(last, term), 0))
  const add = (term: number) => {
    counts[term] = (counts[term] ?? 0) + 1
  }
  for (let at = 0; at < ids.length; at++) records.eachTag(ids[at] ?? 0, add)
  return labels.tags.map((tag) => [tag, counts[tag.term] ?? 0] as const)
}

/** From the tags' scripts, without the tags that are too rare to be among the commonest. */
function countMet({ labels, postings }: MemoryIndex, left: IdSet, most: number): Counted[] {
  const counted: Counted[] = []
  const best: number[] = []
  for (const tag of labels.commonFirst()) {
    if (best.length === most && postings.count(tag.term) < (best[0] ?? 0)) continue
    const count = countMeeting(left, postings.set(tag.term))
    if (best.length === most && count < (best[0] ?? 0)) continue
    counted.push([tag, count])
    best.push(count)
    best.sort((a, b) => a - b)
    if (best.length > most) best.shift()
  }
  return counted
}

export function commonest(counted: readonly Counted[], most: number): TagCount[] {
  const least =
    Uint32Array.from(counted, ([, count]) => count)
      .toSorted()
      .at(-most) ?? 0
  const used = counted.filter(([, count]) => count > 0 && count >= least)
  used.sort(([one, a], [other, b]) => b - a || Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
  return used.slice(0, most).map(([{ id, name, color }, count]) => ({ id, name, color, count }))
}
