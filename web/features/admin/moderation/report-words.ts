import type { ReportCase } from '#contract/reports.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { PillTone } from '#web/ui/pill.tsx'

export const QUEUE_STATUSES = ['waiting', 'open', 'claimed', 'resolved', 'dismissed', 'appealed', 'all'] as const
export type QueueStatus = (typeof QUEUE_STATUSES)[number]

export const QUEUE_LABELS: Record<QueueStatus, string> = {
  waiting: 'Waiting',
  open: 'Open',
  claimed: 'Claimed',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
  appealed: 'Appealed',
  all: 'All',
}

export const SUBJECT_LABELS: Record<ReportCase['subject_type'], string> = {
  script: 'Script',
  review: 'Review',
  profile: 'Profile',
}

export const CASE_TONES: Record<ReportCase['status'], PillTone> = {
  open: 'warning',
  claimed: 'accent',
  resolved: 'success',
  dismissed: 'neutral',
}

export type CaseAction = BodyOf<'PUT /api/reports'>['action']

interface ActionLabels {
  label: string
  /** What becomes of it, for the dialog. */
  text: string
  tone: 'primary' | 'danger'
  /** Whether a reason has to be given; undefined where none is asked for. */
  isReasonRequired?: boolean
}

export const CASE_ACTIONS: Record<CaseAction, ActionLabels> = {
  claim: { label: 'Claim', text: 'It is yours to decide.', tone: 'primary' },
  release: { label: 'Release', text: 'Anybody may claim it again.', tone: 'primary' },
  resolve: {
    label: 'Resolve',
    text: 'The reports were right. Who reported it is told, and the author sees what was decided and why.',
    tone: 'primary',
    isReasonRequired: true,
  },
  dismiss: {
    label: 'Dismiss',
    text: 'Nothing is wrong with it. Who reported it is told.',
    tone: 'primary',
    isReasonRequired: false,
  },
  hide: {
    label: 'Hide',
    text: 'It is taken out of sight for all but its author, the moderators and the admins.',
    tone: 'danger',
    isReasonRequired: true,
  },
  unhide: {
    label: 'Show again',
    text: 'It is in sight again, and its author is told why.',
    tone: 'primary',
    isReasonRequired: true,
  },
  uphold: {
    label: 'Uphold the decision',
    text: 'The decision stands. The author is told why.',
    tone: 'primary',
    isReasonRequired: true,
  },
  grant: {
    label: 'Grant the appeal',
    text: 'The decision is taken back, and what was hidden is in sight again. The author is told.',
    tone: 'primary',
    isReasonRequired: true,
  },
}

/** What can be done about a case as it stands, in the order of its buttons. */
export function caseActions(one: ReportCase): CaseAction[] {
  const hiding: CaseAction[] = one.subject_type === 'profile' ? [] : [one.is_hidden ? 'unhide' : 'hide']
  if (one.appeal_status === 'open') return ['grant', 'uphold']
  if (one.status === 'open') return ['claim', ...hiding, 'resolve', 'dismiss']
  if (one.status === 'claimed') return ['resolve', 'dismiss', ...hiding, 'release']
  return hiding
}
