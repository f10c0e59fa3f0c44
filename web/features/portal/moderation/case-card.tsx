import type { ReactNode } from 'react'
import type { ReportCase } from '#contract/reports.ts'
import { Link } from '#web/router/router.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { REASON_LABELS } from '#web/shared/report-reasons.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Pill, type PillTone } from '#web/ui/pill.tsx'
import { countText } from '#web/features/portal/count-text.ts'
import { AutomaticReason, reasonLabel } from './automatic-reason.tsx'
import { CaseCode } from './case-code.tsx'
import { ACTION_LABELS, type Decision, type ImmediateAction } from './decision-dialog.tsx'

const SUBJECT_LABELS: Record<ReportCase['subject_type'], string> = {
  script: 'Script',
  review: 'Review',
  profile: 'Profile',
  comment: 'Comment',
  collection: 'Collection',
}
const CASE_TONES: Record<ReportCase['status'], PillTone> = {
  open: 'warning',
  claimed: 'accent',
  resolved: 'success',
  dismissed: 'neutral',
  ended: 'neutral',
}

export const STATUS_LABELS: Record<ReportCase['status'], string> = {
  open: 'Open',
  claimed: 'Claimed',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
  ended: 'Ended',
}

/** The buttons of a case, in their order. None if the viewer may not decide it. */
function actionsFor({
  subject_type,
  is_hidden,
  status,
  appeal_status,
  cannot_decide,
  held_version,
}: ReportCase): (Decision | ImmediateAction)[] {
  if (cannot_decide) return []
  if (appeal_status === 'open') return ['grant', 'uphold']
  const release = held_version ? (['release_version'] as const) : []
  if (status === 'open') return ['decide', ...release, 'claim']
  if (status === 'claimed') return ['decide', ...release, 'release']
  if (status === 'ended') return []
  return subject_type === 'profile' ? [] : [is_hidden ? 'unhide' : 'hide']
}

const CANNOT_DECIDE = {
  own_thing: 'This is about you. Another moderator decides it.',
  protected_author: 'The author is a moderator or an admin. An admin decides it.',
  own_decision: 'You made this decision. Another moderator decides the appeal.',
}

/** A case with what a decision needs. `data-case` is where the focus goes when it is opened. */
export function CaseCard({
  reportCase,
  isActive,
  onChoose,
}: {
  reportCase: ReportCase
  /** Whether it was opened after the decision about another case. */
  isActive: boolean
  onChoose: (action: Decision | ImmediateAction) => void
}) {
  const { id, subject_type, subject_title, subject_link, subject_excerpt, cannot_decide } = reportCase
  const isWaiting =
    reportCase.status === 'open' || reportCase.status === 'claimed' || reportCase.appeal_status === 'open'
  return (
    <article
      data-case={id}
      tabIndex={-1}
      aria-label={`${SUBJECT_LABELS[subject_type]}: ${subject_title}`}
      className={`flex min-w-0 scroll-mt-18 flex-col gap-3 rounded-md border bg-surface-0 p-4 ${isActive ? 'border-accent' : 'border-line'}`}
    >
      <CaseHeader reportCase={reportCase} />
      {subject_excerpt && (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-wrap text-muted"
        >
          {subject_excerpt.replaceAll(/\n{2,}/g, '\n')}
        </blockquote>
      )}
      <Reports reportCase={reportCase} />
      {reportCase.findings && <AutomaticReason reportCase={reportCase} findings={reportCase.findings} />}
      {subject_type === 'script' && subject_link && <CaseCode reportCase={reportCase} isActive={isActive} />}
      <EarlierCases reportCase={reportCase} />
      <Outcome reportCase={reportCase} />
      {isWaiting && cannot_decide && <p className="text-muted">{CANNOT_DECIDE[cannot_decide]}</p>}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {actionsFor(reportCase).map((action, i) => (
          <Button
            key={action}
            size="sm"
            variant={i === 0 && isWaiting ? 'primary' : 'secondary'}
            aria-label={`${ACTION_LABELS[action]}: ${subject_title}`}
            onClick={() => onChoose(action)}
          >
            {ACTION_LABELS[action]}
          </Button>
        ))}
      </div>
    </article>
  )
}

function EarlierCases({ reportCase }: { reportCase: ReportCase }) {
  const { author_name, earlier_case_count: count, earlier_cases: cases } = reportCase
  if (count === 0) {
    return (
      <p className="text-sm text-muted">
        No earlier decisions about <bdi>{author_name}</bdi>.
      </p>
    )
  }
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center rounded-sm text-sm text-muted hover:text-text sm:min-h-6">
        <span>
          {countText(count, 'earlier decision')} about <bdi>{author_name}</bdi>
        </span>
      </summary>
      <ul className="mt-1 flex flex-col gap-2 rounded-sm bg-surface-2 p-3 text-sm">
        {cases.map((earlier) => (
          <li key={earlier.id} className="wrap-anywhere">
            <span className="text-muted">
              {SUBJECT_LABELS[earlier.subject_type]}, {STATUS_LABELS[earlier.status].toLowerCase()}{' '}
              <RelativeTime iso={earlier.decided_at} />:
            </span>{' '}
            <bdi className="font-medium">{earlier.subject_title}</bdi>
            {earlier.decision && <span dir="auto"> – {earlier.decision}</span>}
          </li>
        ))}
        {count > cases.length && <li className="text-muted">and {fullCount(count - cases.length)} more</li>}
      </ul>
    </details>
  )
}

function CaseHeader({ reportCase }: { reportCase: ReportCase }) {
  // Most cases are open, and an appeal is about a resolved one.
  const isNotable = reportCase.status !== 'open' && reportCase.appeal_status !== 'open'
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h4 className="font-semibold wrap-anywhere">
          <span className="font-normal text-muted">{SUBJECT_LABELS[reportCase.subject_type]} </span>
          {reportCase.subject_link ? (
            <Link to={reportCase.subject_link} className="hover:text-accent hover:underline">
              <bdi>{reportCase.subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{reportCase.subject_title}</bdi>
          )}
        </h4>
        <p className="text-sm text-muted">
          by <bdi>{reportCase.author_name}</bdi>,{' '}
          {reportCase.report_count === 0 && reportCase.findings ? 'opened' : 'first reported'}{' '}
          <RelativeTime iso={reportCase.created_at} />
          {reportCase.claimed_by && (
            <>
              , claimed by <bdi>{reportCase.claimed_by}</bdi>
            </>
          )}
        </p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        {reportCase.findings && <Pill tone="warning">Opened automatically</Pill>}
        {reportCase.reason !== 'report' && <Pill>{reasonLabel(reportCase.reason)}</Pill>}
        {reportCase.report_count > 0 && <Pill>{countText(reportCase.report_count, 'report')}</Pill>}
        {reportCase.appeal_status === 'open' && <Pill tone="warning">Appealed</Pill>}
        {reportCase.is_hidden && <Pill tone="danger">Hidden</Pill>}
        {isNotable && <Pill tone={CASE_TONES[reportCase.status]}>{STATUS_LABELS[reportCase.status]}</Pill>}
      </p>
    </div>
  )
}

function Reports({ reportCase }: { reportCase: ReportCase }) {
  const isPending = reportCase.subject_type === 'comment' && reportCase.report_count === 0
  if (!isPending && reportCase.reports.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {isPending && (
        <li className="text-muted">A new member's comment with a link waits for review. Dismiss to publish it.</li>
      )}
      {reportCase.reports.map((report) => (
        <li key={`${report.reporter_name} ${report.created_at}`} className="wrap-anywhere">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Pill>{REASON_LABELS[report.reason]}</Pill>
            <span className="text-sm text-muted">
              <bdi>{report.reporter_name}</bdi>, <RelativeTime iso={report.created_at} />
            </span>
          </p>
          {report.text && (
            <p dir="auto" className="mt-1 whitespace-pre-wrap">
              {report.text}
            </p>
          )}
        </li>
      ))}
      {reportCase.report_count > reportCase.reports.length && (
        <li className="text-muted">and {reportCase.report_count - reportCase.reports.length} more</li>
      )}
    </ul>
  )
}

function Outcome({ reportCase }: { reportCase: ReportCase }) {
  if (!reportCase.decided_by && !reportCase.decision && !reportCase.appeal) return null
  return (
    <dl className="grid gap-x-4 gap-y-1 rounded-sm bg-surface-2 p-3 sm:grid-cols-[auto_minmax(0,1fr)] [&_dd]:wrap-anywhere [&_dt]:text-muted">
      {reportCase.decided_by && (
        <OutcomeRow name="Decided by">
          <bdi>{reportCase.decided_by}</bdi>
        </OutcomeRow>
      )}
      {reportCase.decision && <OutcomeRow name="Reason">{reportCase.decision}</OutcomeRow>}
      {reportCase.appeal && (
        <OutcomeRow name="Appeal">
          {reportCase.appeal}
          {reportCase.appeal_status !== 'open' && ` (${reportCase.appeal_status})`}
        </OutcomeRow>
      )}
      {reportCase.appeal_decision && <OutcomeRow name="Reply">{reportCase.appeal_decision}</OutcomeRow>}
    </dl>
  )
}

function OutcomeRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
