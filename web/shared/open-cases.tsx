import type { ResultOf } from '#contract/operations.ts'
import type { OpenOwnCase } from '#contract/reports.ts'
import { Link } from '#web/router/router.tsx'
import { CaseFindings } from '#web/shared/case-findings.tsx'
import { CASE_REASON_TEXTS } from '#web/shared/case-reasons.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { Pill } from '#web/ui/pill.tsx'

/** Cases that the site opened about the member's content and that wait for a moderator. Empty without one. */
export function OpenCases({ loaded }: { loaded: ResultOf<'GET /api/own-cases'> }) {
  const { open, waiting, median_hours } = loaded
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open-cases" className="flex flex-col gap-3">
      <h2 id="open-cases" className="font-semibold">
        Waiting for moderators
      </h2>
      {median_hours !== null && (
        <p className="text-muted">
          In the last 30 days, half of the decisions took less than {describeHours(median_hours)}.
        </p>
      )}
      <ul aria-label="Open cases" className="flex flex-col gap-3">
        {open.map((openCase) => (
          <li key={openCase.id}>
            <OpenCase openCase={openCase} waiting={waiting} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OpenCase({ openCase, waiting }: { openCase: OpenOwnCase; waiting: number }) {
  const { subject_title, subject_link, reason, findings, created_at, place } = openCase
  const { label, text } = CASE_REASON_TEXTS[reason]
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          {subject_link ? (
            <Link to={subject_link} className="hover:text-accent hover:underline">
              <bdi>{subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{subject_title}</bdi>
          )}
        </h3>
        <Pill>{label}</Pill>
      </div>
      <CaseFindings label="Found" text={text} findings={findings} />
      <p className="text-sm text-muted">
        Place {fullCount(place)} of {fullCount(waiting)} in the queue, opened <RelativeTime iso={created_at} />
      </p>
    </article>
  )
}

function describeHours(hours: number): string {
  if (hours < 1.5) return 'an hour'
  if (hours < 36) return `${Math.ceil(hours)} hours`
  return `${Math.ceil(hours / 24)} days`
}
