import type { OwnReport } from '#contract/reports.ts'
import { Link } from '#web/router/router.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { REASON_LABELS } from '#web/shared/report-reasons.ts'
import { Pill } from '#web/ui/pill.tsx'

export const SUBJECT_LABELS = {
  script: 'Script',
  review: 'Review',
  profile: 'Profile',
  comment: 'Comment',
  collection: 'Collection',
} as const

const STATES = {
  waiting: { label: 'Waiting', tone: 'warning', text: 'A moderator will review it.' },
  action_taken: { label: 'Action taken', tone: 'success', text: 'Moderators confirmed your report and acted on it.' },
  no_violation: { label: 'No violation', tone: 'neutral', text: 'Moderators found that it breaks no rule.' },
  closed: { label: 'Closed', tone: 'neutral', text: 'It ended before a decision was needed.' },
} as const

/** What the member reported, newest first, and what became of it. */
export function OwnReports({ reports }: { reports: readonly OwnReport[] }) {
  return (
    <section aria-labelledby="own-reports" className="mt-4 flex flex-col gap-3">
      <h2 id="own-reports" className="text-xl font-semibold">
        Your reports
      </h2>
      <p className="text-muted">Only you and moderators can see them.</p>
      <ul aria-label="Your reports" className="divide-y divide-line rounded-md border border-line bg-surface-1">
        {reports.map((report) => (
          <li key={report.id} className="flex flex-col gap-2 p-4">
            <Report report={report} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Report({ report }: { report: OwnReport }) {
  const state = STATES[report.state]
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          <span className="font-normal text-muted">{SUBJECT_LABELS[report.subject_type]} </span>
          {report.subject_link ? (
            <Link to={report.subject_link} className="hover:text-accent hover:underline">
              <bdi>{report.subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{report.subject_title}</bdi>
          )}
        </h3>
        <Pill tone={state.tone}>{state.label}</Pill>
      </div>
      <p className="text-muted">
        {state.text} Reported <RelativeTime iso={report.created_at} /> as “{REASON_LABELS[report.reason]}”
        {report.decided_at && (
          <>
            , decided <RelativeTime iso={report.decided_at} />
          </>
        )}
        .
      </p>
      {report.text && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {report.text}
        </p>
      )}
    </>
  )
}
