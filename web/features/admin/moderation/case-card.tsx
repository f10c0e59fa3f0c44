import { Link } from 'react-router'
import type { ReportCase } from '#contract/reports.ts'
import { REASON_LABELS } from '#web/components/report-reasons.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { CASE_ACTIONS, CASE_TONES, type CaseAction, caseActions, QUEUE_LABELS, SUBJECT_LABELS } from './report-words.ts'

/** One reported thing: what it is, what was said of it, and what can be done. */
export function CaseCard({ one, onChoose }: { one: ReportCase; onChoose: (deed: CaseAction) => void }) {
  const isWaiting = one.status === 'open' || one.status === 'claimed' || one.appeal_status === 'open'
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-0 p-4">
      <Head one={one} />
      {one.subject_excerpt && (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-wrap text-muted"
        >
          {one.subject_excerpt}
        </blockquote>
      )}
      <Reports one={one} />
      <Outcome one={one} />
      <div className="flex flex-wrap gap-2">
        {caseActions(one).map((deed, index) => (
          <Button
            key={deed}
            size="sm"
            variant={index === 0 && isWaiting ? 'primary' : 'secondary'}
            aria-label={`${CASE_ACTIONS[deed].label}: ${one.subject_title}`}
            onClick={() => onChoose(deed)}
          >
            {CASE_ACTIONS[deed].label}
          </Button>
        ))}
      </div>
    </article>
  )
}

function Head({ one }: { one: ReportCase }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h4 className="font-semibold wrap-anywhere">
          <span className="font-normal text-muted">{SUBJECT_LABELS[one.subject_type]} </span>
          {one.subject_link ? (
            <Link to={one.subject_link} className="hover:text-accent hover:underline">
              <bdi>{one.subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{one.subject_title}</bdi>
          )}
        </h4>
        <p className="text-sm text-muted">
          by <bdi>{one.author_name}</bdi>, first reported <RelativeTime iso={one.created_at} />
          {one.claimed_by && (
            <>
              , claimed by <bdi>{one.claimed_by}</bdi>
            </>
          )}
        </p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        {one.appeal_status === 'open' && <Pill tone="warning">Appealed</Pill>}
        {one.is_hidden && <Pill tone="danger">Hidden</Pill>}
        <Pill tone={CASE_TONES[one.status]}>{QUEUE_LABELS[one.status]}</Pill>
      </p>
    </div>
  )
}

function Reports({ one }: { one: ReportCase }) {
  return (
    <ul className="flex flex-col gap-2">
      {one.reports.map((report) => (
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
      {one.report_count > one.reports.length && (
        <li className="text-muted">and {one.report_count - one.reports.length} more</li>
      )}
    </ul>
  )
}

function Outcome({ one }: { one: ReportCase }) {
  if (!one.decided_by && !one.decision && !one.appeal) return null
  return (
    <dl className="grid gap-x-4 gap-y-1 rounded-sm bg-surface-2 p-3 sm:grid-cols-[auto_minmax(0,1fr)] [&_dd]:wrap-anywhere [&_dt]:text-muted">
      {one.decided_by && (
        <>
          <dt>Decided by</dt>
          <dd>
            <bdi>{one.decided_by}</bdi>
          </dd>
        </>
      )}
      {one.decision && (
        <>
          <dt>Why</dt>
          <dd>{one.decision}</dd>
        </>
      )}
      {one.appeal && (
        <>
          <dt>Appeal</dt>
          <dd>
            {one.appeal}
            {one.appeal_status !== 'open' && ` (${one.appeal_status})`}
          </dd>
        </>
      )}
      {one.appeal_decision && (
        <>
          <dt>Answer</dt>
          <dd>{one.appeal_decision}</dd>
        </>
      )}
    </dl>
  )
}
