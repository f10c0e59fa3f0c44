import type { AutomaticReason } from '#contract/case-reasons.ts'
import type { ReportCase } from '#contract/reports.ts'
import { RULES } from '#web/shared/community-rules.ts'
import type { ReportReason } from '#web/shared/report-reasons.ts'
import { describeWhere } from './evidence.ts'

const AUTOMATIC_RULES: Record<AutomaticReason, ReportReason> = {
  held_version: 'malicious',
  first_version: 'malicious',
  withdrawn_code: 'malicious',
  identical_code: 'stolen',
  collector: 'malicious',
  broken_update: 'misleading',
}

/** The rule that a case is probably about: the one that most members named, or that of what the site found. */
export function ruleOf({ reason, reports }: Pick<ReportCase, 'reason' | 'reports'>): ReportReason | undefined {
  if (reason !== 'report') return AUTOMATIC_RULES[reason]
  const counts = new Map<ReportReason, number>()
  for (const report of reports) counts.set(report.reason, (counts.get(report.reason) ?? 0) + 1)
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first?.[0]
}

/** What the author reads if they broke a rule, with the lines that were found. */
export function decisionText(rule: ReportReason, findings: ReportCase['findings']): string {
  const { decision } = RULES[rule]
  const where = rule === 'malicious' ? describeWhere(findings ?? []) : ''
  return where === '' ? decision : `${decision} We found it here: ${where}.`
}

/** Whether a text may be replaced by that of another rule: nobody has written in it. */
export function isUnwritten(text: string, findings: ReportCase['findings']): boolean {
  const rules = Object.keys(RULES) as ReportReason[]
  return text.trim() === '' || rules.some((rule) => decisionText(rule, findings) === text)
}
