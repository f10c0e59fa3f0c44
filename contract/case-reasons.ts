// Why cases are open, and how dangerous each is. It imports no schema library: the browser downloads this file.
import type { REPORT_REASONS } from './limits.ts'
import type { HOLD_REASON_IDS, SERIOUS_CAPABILITIES } from './version-states.ts'

/**
 * `held_version`: an update waits that its author has confirmed. `first_version`: the first version of a script waits.
 * `withdrawn_code`: somebody published code again that moderators withdrew. `identical_code`: another member's code.
 * `collector`: the script contacts a host that moderators marked as a collector of data. `broken_update`: members say that an
 * update does not work.
 */
export const AUTOMATIC_REASONS = [
  'held_version',
  'first_version',
  'withdrawn_code',
  'identical_code',
  'collector',
  'broken_update',
] as const
export type AutomaticReason = (typeof AUTOMATIC_REASONS)[number]

/** `report`: members reported it, or a new member's comment waits for review. */
export const CASE_REASONS = ['report', ...AUTOMATIC_REASONS] as const
export type CaseReason = (typeof CASE_REASONS)[number]

/** Of these, the findings decide how dangerous a case is. */
export const HOLD_CASES = ['held_version', 'first_version'] as const satisfies CaseReason[]

export type SeriousId = (typeof SERIOUS_CAPABILITIES)[number] | (typeof HOLD_REASON_IDS)[number]

/** What code does, from 1 to 10: how much harm it does if it is meant to. */
export const FINDING_SEVERITIES: Readonly<Record<SeriousId, number>> = {
  'net.exfiltration': 10,
  'code.remote': 8,
  'user.purchase': 8,
  'net.webhook': 7,
  'code.persist': 7,
  'fs.delete': 6,
  'shape.obfuscated': 6,
  less_evidence: 5,
  opaque: 4,
  check_failed: 3,
  'shape.secret': 2,
}

/** What members report. */
export const REPORT_SEVERITIES: Readonly<Record<(typeof REPORT_REASONS)[number], number>> = {
  malicious: 9,
  illegal: 8,
  harassment: 5,
  stolen: 4,
  nsfw: 4,
  misleading: 3,
  spam: 2,
  other: 2,
}

/** What a case is at least, whatever was found. A comment that waits for review has the least of all. */
export const CASE_SEVERITIES: Readonly<Record<CaseReason, number>> = {
  withdrawn_code: 9,
  collector: 9,
  identical_code: 3,
  broken_update: 3,
  held_version: 1,
  first_version: 1,
  report: 1,
}

const BY_FINDING: ReadonlySet<CaseReason> = new Set(HOLD_CASES)
const findingSeverities: Readonly<Partial<Record<string, number>>> = FINDING_SEVERITIES

/** The severity of an automatic case. */
export function severityOf(reason: AutomaticReason, findings: readonly { id: string }[]): number {
  const severities = BY_FINDING.has(reason) ? findings.map(({ id }) => findingSeverities[id] ?? 1) : []
  return Math.max(CASE_SEVERITIES[reason], ...severities)
}

/** The order of the queue, most dangerous first. `reach`: views and downloads of 30 days. SQL computes the same. */
export function dangerOf({ severity, reach, ageDays }: { severity: number; reach: number; ageDays: number }): number {
  return severity * Math.log10(10 + reach) * (1 + ageDays / 3)
}

/** Days of visits that count as the reach of a case. */
export const REACH_DAYS = 30
