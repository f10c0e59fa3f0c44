import { type ReactNode, useState } from 'react'
import { Link, useRevalidator } from '#web/router/router.tsx'
import Inbox from 'lucide-react/icons/inbox'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import type { ReportCase } from '#contract/reports.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ReasonField } from '#web/components/reason-field.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { REASON_LABELS } from '#web/components/report-reasons.ts'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Pill, type PillTone } from '#web/ui/pill.tsx'
import { Select } from '#web/ui/select.tsx'
import type { TabData } from './portal-data.ts'
import { LoadError, TabSkeleton } from './tab-parts.tsx'

const PAGE_SIZE = 20

export const QUEUE_STATUSES = ['waiting', 'open', 'claimed', 'resolved', 'dismissed', 'appealed', 'all'] as const
type QueueStatus = (typeof QUEUE_STATUSES)[number]

const QUEUE_LABELS: Record<QueueStatus, string> = {
  waiting: 'Waiting',
  open: 'Open',
  claimed: 'Claimed',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
  appealed: 'Appealed',
  all: 'All',
}
const SUBJECT_LABELS: Record<ReportCase['subject_type'], string> = {
  script: 'Script',
  review: 'Review',
  profile: 'Profile',
}
const CASE_TONES: Record<ReportCase['status'], PillTone> = {
  open: 'warning',
  claimed: 'accent',
  resolved: 'success',
  dismissed: 'neutral',
}

type CaseAction = BodyOf<'PUT /api/reports'>['action']

interface ActionTexts {
  label: string
  /** The consequence, for the dialog. */
  text: string
  tone: 'primary' | 'danger'
  /** Whether the dialog requires a reason. Without a value there is no dialog. */
  isReasonRequired?: boolean
}

const CASE_ACTIONS: Record<CaseAction, ActionTexts> = {
  claim: { label: 'Claim', text: 'Assigns the report to you.', tone: 'primary' },
  release: { label: 'Release', text: 'Any moderator can claim the report again.', tone: 'primary' },
  resolve: {
    label: 'Resolve',
    text: 'Confirms the report. Reporters and the author are notified.',
    tone: 'primary',
    isReasonRequired: true,
  },
  dismiss: {
    label: 'Dismiss',
    text: 'Closes the report with no action. Reporters are notified.',
    tone: 'primary',
    isReasonRequired: false,
  },
  hide: {
    label: 'Hide',
    text: 'Only the author, moderators and admins can see it.',
    tone: 'danger',
    isReasonRequired: true,
  },
  unhide: {
    label: 'Show again',
    text: 'Makes it visible again. The author is notified with your reason.',
    tone: 'primary',
    isReasonRequired: true,
  },
  uphold: {
    label: 'Uphold the decision',
    text: 'Keeps the decision. The author is notified with your reason.',
    tone: 'primary',
    isReasonRequired: true,
  },
  grant: {
    label: 'Grant the appeal',
    text: 'Reverses the decision and makes hidden content visible again. The author is notified.',
    tone: 'primary',
    isReasonRequired: true,
  },
}

/** The actions that a case allows, in the order of the buttons. */
function actionsFor({ subject_type, is_hidden, status, appeal_status }: ReportCase): CaseAction[] {
  const visibility: CaseAction[] = subject_type === 'profile' ? [] : [is_hidden ? 'unhide' : 'hide']
  if (appeal_status === 'open') return ['grant', 'uphold']
  if (status === 'open') return ['claim', ...visibility, 'resolve', 'dismiss']
  if (status === 'claimed') return ['resolve', 'dismiss', ...visibility, 'release']
  return visibility
}

export type ReportPage = ResultOf<'GET /api/reports'>

export function readReports(
  api: Api,
  { status, page }: { status: QueueStatus; page: number },
  signal: AbortSignal,
): Promise<ReportPage> {
  return api('GET /api/reports', { query: { status, page, limit: PAGE_SIZE }, signal })
}

interface Props {
  queue: Omit<TabData<unknown>, 'data'>
  reports: ReportPage | undefined
  status: QueueStatus
  onStatusChange: (status: QueueStatus) => void
  hrefOfPage: (page: number) => string
}

/** Reported content, longest waiting first, and the decisions about it. */
export function ReportQueue({ queue, reports, status, onStatusChange, hrefOfPage }: Props) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const [opened, setOpened] = useState<{ reportCase: ReportCase; action: CaseAction }>()
  const { cases = [], pagination } = reports ?? {}

  const decide = async (reportCase: ReportCase, action: CaseAction, decision?: string) => {
    try {
      await run(
        () => api('PUT /api/reports', { body: { id: reportCase.id, action, ...(decision ? { decision } : {}) } }),
        {
          success: ({ message }) => message,
          failure: `Failed to ${CASE_ACTIONS[action].label.toLowerCase()}`,
        },
      )
    } finally {
      // An error may mean that another moderator decided first: reload in any case.
      void revalidate()
    }
  }
  const choose = (reportCase: ReportCase, action: CaseAction) => {
    if (CASE_ACTIONS[action].isReasonRequired === undefined) void decide(reportCase, action).catch(() => undefined)
    else setOpened({ reportCase, action })
  }

  return (
    <div className="flex flex-col gap-4">
      <div>
        <Select isLabelAlwaysVisible label="Status" value={status} options={QUEUE_LABELS} onChange={onStatusChange} />
      </div>
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
      {opened && (
        <DecisionDialog
          reportCase={opened.reportCase}
          action={opened.action}
          onDecide={(decision) => decide(opened.reportCase, opened.action, decision)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

function CaseCard({ reportCase, onChoose }: { reportCase: ReportCase; onChoose: (action: CaseAction) => void }) {
  const isWaiting =
    reportCase.status === 'open' || reportCase.status === 'claimed' || reportCase.appeal_status === 'open'
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-0 p-4">
      <CaseHeader reportCase={reportCase} />
      {reportCase.subject_excerpt && (
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-wrap text-muted"
        >
          {reportCase.subject_excerpt}
        </blockquote>
      )}
      <Reports reportCase={reportCase} />
      <Outcome reportCase={reportCase} />
      <div className="flex flex-wrap gap-2">
        {actionsFor(reportCase).map((action, i) => (
          <Button
            key={action}
            size="sm"
            variant={i === 0 && isWaiting ? 'primary' : 'secondary'}
            aria-label={`${CASE_ACTIONS[action].label}: ${reportCase.subject_title}`}
            onClick={() => onChoose(action)}
          >
            {CASE_ACTIONS[action].label}
          </Button>
        ))}
      </div>
    </article>
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
          by <bdi>{reportCase.author_name}</bdi>, first reported <RelativeTime iso={reportCase.created_at} />
          {reportCase.claimed_by && (
            <>
              , claimed by <bdi>{reportCase.claimed_by}</bdi>
            </>
          )}
        </p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        {reportCase.appeal_status === 'open' && <Pill tone="warning">Appealed</Pill>}
        {reportCase.is_hidden && <Pill tone="danger">Hidden</Pill>}
        <Pill tone={CASE_TONES[reportCase.status]}>{QUEUE_LABELS[reportCase.status]}</Pill>
      </p>
    </div>
  )
}

function Reports({ reportCase }: { reportCase: ReportCase }) {
  return (
    <ul className="flex flex-col gap-2">
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

/** The decision, the appeal against it and the reply. */
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

function DecisionDialog({
  reportCase,
  action,
  onDecide,
  onClose,
}: {
  reportCase: ReportCase
  action: CaseAction
  onDecide: (decision: string) => Promise<void>
  onClose: () => void
}) {
  const [decision, setDecision] = useState('')
  const { label, text, tone, isReasonRequired = false } = CASE_ACTIONS[action]
  return (
    <FormDialog
      title={label}
      submitLabel={label}
      busyLabel="Working..."
      tone={tone}
      canSubmit={!isReasonRequired || decision.trim() !== ''}
      onSubmit={() => onDecide(decision.trim())}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="wrap-anywhere">
            <bdi className="font-medium">{reportCase.subject_title}</bdi>
          </p>
          <p className="text-muted">{text}</p>
          <ReasonField
            value={decision}
            isRequired={isReasonRequired}
            error={errors['decision']}
            onChange={setDecision}
          />
        </>
      )}
    </FormDialog>
  )
}
