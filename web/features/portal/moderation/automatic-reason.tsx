import { CASE_REASONS, type CaseReason } from '#contract/case-reasons.ts'
import type { CaseFinding, ReportCase } from '#contract/reports.ts'
import { compactCount } from '#web/lib/numbers.ts'
import { CASE_REASON_TEXTS } from '#web/shared/case-reasons.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { CaseEvidence } from './case-evidence.tsx'

export const reasonLabel = (reason: CaseReason): string =>
  reason === 'report' ? 'Reports' : CASE_REASON_TEXTS[reason].label

const ORDERS = { danger: 'Most dangerous', oldest: 'Oldest' } as const
const REASONS: Record<string, string> = {
  '': 'All',
  ...Object.fromEntries(CASE_REASONS.map((reason) => [reason, reasonLabel(reason)])),
}

interface Filters {
  order: keyof typeof ORDERS
  reason: '' | CaseReason
}

export function QueueFilter({ order, reason, onChange }: Filters & { onChange: (change: Partial<Filters>) => void }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <ChoiceField
        name="order"
        label="Order"
        value={order}
        options={ORDERS}
        onChange={(chosen) => onChange({ order: chosen === 'oldest' ? 'oldest' : 'danger' })}
      />
      <ChoiceField<string>
        name="case_reason"
        label="Reason"
        value={reason}
        options={REASONS}
        onChange={(chosen) => onChange({ reason: CASE_REASONS.find((known) => known === chosen) ?? '' })}
      />
    </div>
  )
}

/** Why the site opened a case, with the lines, and what became of it. */
export function AutomaticReason({ reportCase, findings }: { reportCase: ReportCase; findings: CaseFinding[] }) {
  const { reason, found_count, held_version, ended_note, severity, reach } = reportCase
  const facts = [
    `Severity ${severity} of 10`,
    `${compactCount(reach)} views and downloads in 30 days`,
    ...(found_count > 1 ? [`found ${found_count} times`] : []),
    ...(held_version ? [`version ${held_version.version} is held`] : []),
  ]
  const text = reason === 'report' ? 'The site found this:' : CASE_REASON_TEXTS[reason].text
  return (
    <>
      <CaseEvidence reportCase={reportCase} findings={findings} text={text} />
      <p className="text-sm text-muted">{facts.join(' · ')}</p>
      {ended_note && <p>Its cause has ended: {ended_note}</p>}
    </>
  )
}
