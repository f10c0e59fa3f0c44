// Serious findings in a draft, without which its version would be public within seconds.
import type { Behavior } from '#contract/behavior.ts'
import { describeFinding } from '#contract/hold-texts.ts'
import { SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import { findLines } from './declaration.ts'

export interface SeriousFinding {
  id: (typeof SERIOUS_CAPABILITIES)[number]
  /** As infinitive, such as `delete files`. */
  text: string
  line: number | null
}

/** The serious findings of a draft that are not in `known`: what its author declares, or what the current code does. */
export function findSerious(behavior: Behavior | undefined, known: readonly string[]): SeriousFinding[] {
  if (!behavior) return []
  const idsInCode = new Set<string>(behavior.capabilities.map(({ id }) => id))
  return SERIOUS_CAPABILITIES.filter((id) => idsInCode.has(id) && !known.includes(id)).map((id) => {
    const [line = null] = findLines(behavior, [id])
    const host = behavior.hosts.find((each) => each.line === line && each.contacted !== false)?.host ?? null
    return { id, text: describeFinding({ id, host }) ?? id, line }
  })
}
