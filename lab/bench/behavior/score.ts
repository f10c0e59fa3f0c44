import { CAPABILITY_IDS, type CapabilityId } from '#contract/behavior-names.ts'

export interface Found {
  id: CapabilityId
  certainty: 'code' | 'likely' | 'run'
}

export interface Scored {
  name: string
  labels: readonly CapabilityId[]
  found: readonly Found[]
}

export interface Counts {
  right: number
  wrong: number
  missed: number
}

export const precision = ({ right, wrong }: Counts): number => (right + wrong === 0 ? 1 : right / (right + wrong))
export const recall = ({ right, missed }: Counts): number => (right + missed === 0 ? 1 : right / (right + missed))

/** Counts over all scripts, of the capabilities and certainties that pass. */
export function count(
  scripts: readonly Scored[],
  passes: (id: CapabilityId, certainty: Found['certainty'] | undefined) => boolean = () => true,
): Counts {
  const counts = { right: 0, wrong: 0, missed: 0 }
  for (const { labels, found } of scripts) {
    for (const { id, certainty } of found) {
      if (!passes(id, certainty)) continue
      if (labels.includes(id)) counts.right++
      else counts.wrong++
    }
    for (const id of labels) if (passes(id, undefined) && !found.some((one) => one.id === id)) counts.missed++
  }
  return counts
}

export interface CapabilityRow extends Counts {
  id: CapabilityId
  wrongIn: string[]
  missedIn: string[]
}

export function countByCapability(scripts: readonly Scored[]): CapabilityRow[] {
  return CAPABILITY_IDS.map((id) => {
    const counts = count(scripts, (one) => one === id)
    const names = (test: (script: Scored) => boolean) => scripts.filter(test).map(({ name }) => name)
    const has = (script: Scored) => script.found.some((one) => one.id === id)
    return {
      id,
      ...counts,
      wrongIn: names((script) => has(script) && !script.labels.includes(id)),
      missedIn: names((script) => !has(script) && script.labels.includes(id)),
    }
  })
}

/** Cohen's kappa of two labelers over all pairs of a script and a capability. */
export function kappa(
  pairs: readonly (readonly [one: readonly CapabilityId[], two: readonly CapabilityId[]])[],
): number {
  let [agreed, first, second] = [0, 0, 0]
  const total = pairs.length * CAPABILITY_IDS.length
  for (const [one, two] of pairs) {
    for (const id of CAPABILITY_IDS) {
      const [isFirst, isSecond] = [one.includes(id), two.includes(id)]
      if (isFirst === isSecond) agreed++
      if (isFirst) first++
      if (isSecond) second++
    }
  }
  const byChance = (first / total) * (second / total) + (1 - first / total) * (1 - second / total)
  return (agreed / total - byChance) / (1 - byChance)
}
