import { FLAGS } from '#contract/catalogue-names.ts'
import type { Labels } from './labels.ts'
import type { IndexRow } from './row.ts'

/** In ascending order. The tags have to be known. */
export function tagTerms(labels: Labels, { id, tags }: IndexRow): number[] {
  const terms = tags.map((tag) => {
    const known = labels.tag(tag)
    if (!known) throw new Error(`Script ${id} has tag ${tag}, which is not known`)
    return known.term
  })
  return terms.toSorted((a, b) => a - b)
}

/** That of all scripts and those of its flags, in ascending order. */
export function plainTerms(labels: Labels, { flags }: IndexRow): number[] {
  const terms = [labels.all]
  for (let flag = 0; flag < FLAGS.length; flag++) if (flags & (1 << flag)) terms.push(labels.flagAt(flag))
  return terms
}
