import { CAPABILITIES } from '#contract/behavior-names.ts'
import type { AutomaticReason } from '#contract/case-reasons.ts'
import type { CaseFinding } from '#contract/reports.ts'

/** The rule that opened a case by itself. */
export const CASE_REASON_TEXTS: Record<AutomaticReason, { label: string; text: string }> = {
  held_version: {
    label: 'Confirmed update',
    text: 'An update that its author confirmed would start this:',
  },
  first_version: {
    label: 'First version waits',
    text: 'The first version has undeclared behavior:',
  },
  withdrawn_code: {
    label: 'Withdrawn code',
    text: 'Code that moderators withdrew was to be published again:',
  },
  identical_code: {
    label: 'Identical code',
    text: "The code is identical to another member's:",
  },
  collector: {
    label: 'Data collector',
    text: 'The script contacts a host that moderators flagged as a data collector:',
  },
  broken_update: {
    label: 'Broken update',
    text: 'Members say that an update does not work:',
  },
}

const OTHER_FINDINGS: Readonly<Record<string, string>> = {
  opaque: 'Less of it can be checked than before',
  check_failed: 'It could not be checked',
  less_evidence: 'Published with weaker proof of origin than before',
  withdrawn_code: 'Withdrawn code',
  identical_code: 'Identical code',
  collector: 'Contacts a data collector',
  broken_update: "Doesn't work",
}

const titles: Readonly<Record<string, string>> = CAPABILITIES

export const findingTitle = ({ id }: Pick<CaseFinding, 'id'>): string => titles[id] ?? OTHER_FINDINGS[id] ?? id
