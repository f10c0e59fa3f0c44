import { type ReactNode, useState } from 'react'
import { Link, useRevalidator } from '#web/router/router.tsx'
import Inbox from 'lucide-react/icons/inbox'
import type { ResultOf } from '#contract/operations.ts'
import { CASE_REASONS, type CaseReason } from '#contract/case-reasons.ts'
import type { ReportCase } from '#contract/reports.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { REASON_LABELS } from '#web/shared/report-reasons.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Pill, type PillTone } from '#web/ui/pill.tsx'
import { countText } from '#web/features/portal/count-text.ts'
import { AutomaticReason, QueueFilter, reasonLabel } from './automatic-reason.tsx'
import { CaseCode } from './case-code.tsx'
import {
  ACTION_LABELS,
  type Decision,
  DecisionDialog,
  type ImmediateAction,
  type QueueAction,
} from './decision-dialog.tsx'
import type { TabData } from '#web/features/portal/portal-data.ts'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const PAGE_SIZE = 20

export const QUEUE_STATUSES = ['waiting', 'open', 'claimed', 'resolved', 'dismissed', 'appealed', 'all'] as const
type QueueStatus = (typeof QUEUE_STATUSES)[number]

const QUEUE_LABELS: Record<QueueStatus, string> = {
  waiting: 'To do',
  open: 'Open',
  claimed: 'Claimed',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
  appealed: 'Appeals',
  all: 'All',
}
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

const STATUS_LABELS: Record<ReportCase['status'], string> = { ...QUEUE_LABELS, ended: 'Ended' }

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

/** What the queue shows, in the page's URL. */
export const QUEUE_QUERY = {
  status: QUEUE_STATUSES,
  order: ['danger', 'oldest'],
  reason: ['', ...CASE_REASONS],
  ordered_at: [],
} as const

interface QueueFilters {
  status: QueueStatus
  order: 'danger' | 'oldest'
  reason: '' | CaseReason
  ordered_at: string
}

export type ReportPage = ResultOf<'GET /api/reports'>

export function readReports(
  api: Api,
  { status, order, reason, ordered_at, page }: QueueFilters & { page: number },
  signal: AbortSignal,
): Promise<ReportPage> {
  // The order of later pages is that of the first one.
  const options = { ...(reason ? { reason } : {}), ...(page > 1 && isTime(ordered_at) ? { ordered_at } : {}) }
  return api('GET /api/reports', { query: { status, order, page, limit: PAGE_SIZE, ...options }, signal })
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))

interface Props {
  queue: Omit<TabData<unknown>, 'data'>
  reports: ReportPage | undefined
  filters: QueueFilters
  hrefOf: (change: Partial<QueueFilters & { page: number }>) => string
  change: (change: Partial<QueueFilters>) => void
}

function sendDecision(
  api: Api,
  { id, subject_id, held_version }: ReportCase,
  action: QueueAction,
  decision = '',
): Promise<{ message: string }> {
  if (action !== 'release_version') {
    return api('PUT /api/reports', { body: { id, action, ...(decision ? { decision } : {}) } })
  }
  const number = held_version?.number ?? 0
  return api('POST /api/version-release', { body: { script_id: subject_id, number, reason: decision } })
}

/** Reported content and what the site found, most dangerous first, and the decisions about it. */
export function ReportQueue({ queue, reports, filters, hrefOf, change }: Props) {
  const { status } = filters
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const [opened, setOpened] = useState<{ reportCase: ReportCase; decision: Decision }>()
  const { cases = [], pagination, ordered_at = '' } = reports ?? {}
  const hrefOfPage = (page: number) => hrefOf({ page, ordered_at: page > 1 ? filters.ordered_at || ordered_at : '' })

  const decide = async (reportCase: ReportCase, action: QueueAction, decision?: string) => {
    try {
      await run(() => sendDecision(api, reportCase, action, decision), {
        success: ({ message }) => message,
        failure: `Failed to ${ACTION_LABELS[action].toLowerCase()}`,
      })
    } finally {
      // An error may mean that another moderator decided first: reload in any case.
      void revalidate()
    }
  }
  const choose = (reportCase: ReportCase, action: Decision | ImmediateAction) => {
    if (action === 'claim' || action === 'release') void decide(reportCase, action).catch(() => undefined)
    else setOpened({ reportCase, decision: action })
  }

  const tabs = QUEUE_STATUSES.map((id) => ({
    id,
    label: QUEUE_LABELS[id],
    to: hrefOf({ status: id, ordered_at: '' }),
    ...(id === status && pagination && !queue.isPending
      ? { aside: <span className="text-sm font-normal tabular-nums">{fullCount(pagination.total)}</span> }
      : {}),
  }))
  return (
    <>
      <LinkTabs label="Status" tabs={tabs} current={status}>
        <div className="flex flex-col gap-4 pt-4">
          <QueueFilter
            order={filters.order}
            reason={filters.reason}
            onChange={(part) => change({ ordered_at: '', ...part })}
          />
          {queue.error && <LoadError text={queue.error} onRetry={queue.reload} />}
          {!reports && !queue.error && <TabSkeleton />}
          {reports && cases.length === 0 && (
            <EmptyState
              icon={Inbox}
              title={status === 'waiting' ? 'All caught up' : 'No reports'}
              text={status === 'waiting' ? 'No reports are waiting for a decision.' : 'No reports have this status.'}
            />
          )}
          {cases.length > 0 && (
            <ul
              aria-label="Reports"
              aria-busy={queue.isPending}
              className={`flex flex-col gap-3 ${queue.isPending ? 'opacity-60' : ''}`}
            >
              {cases.map((reportCase) => (
                <li key={reportCase.id}>
                  <CaseCard reportCase={reportCase} onChoose={(action) => choose(reportCase, action)} />
                </li>
              ))}
            </ul>
          )}
          {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
        </div>
      </LinkTabs>
      {opened && (
        <DecisionDialog
          reportCase={opened.reportCase}
          decision={opened.decision}
          onDecide={(action, reason) => decide(opened.reportCase, action, reason)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function CaseCard({
  reportCase,
  onChoose,
}: {
  reportCase: ReportCase
  onChoose: (action: Decision | ImmediateAction) => void
}) {
  const { subject_type, subject_id, subject_title, subject_link, subject_excerpt, cannot_decide } = reportCase
  const isWaiting =
    reportCase.status === 'open' || reportCase.status === 'claimed' || reportCase.appeal_status === 'open'
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-0 p-4">
      <CaseHeader reportCase={reportCase} />
      {subject_excerpt && (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-wrap text-muted"
        >
          {subject_excerpt}
        </blockquote>
      )}
      {subject_type === 'script' && subject_link && (
        <CaseCode scriptId={subject_id} title={subject_title} version={reportCase.held_version?.number} />
      )}
      {reportCase.findings && <AutomaticReason reportCase={reportCase} findings={reportCase.findings} />}
      <Reports reportCase={reportCase} />
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
              {SUBJECT_LABELS[earlier.subject_type]}, {QUEUE_LABELS[earlier.status].toLowerCase()}{' '}
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
        <Pill tone={CASE_TONES[reportCase.status]}>{STATUS_LABELS[reportCase.status]}</Pill>
      </p>
    </div>
  )
}

function Reports({ reportCase }: { reportCase: ReportCase }) {
  return (
    <ul className="flex flex-col gap-2">
      {reportCase.subject_type === 'comment' && reportCase.report_count === 0 && (
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
