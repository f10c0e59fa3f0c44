import { useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import Inbox from 'lucide-react/icons/inbox'
import type { ResultOf } from '#contract/operations.ts'
import { CASE_REASONS, type CaseReason } from '#contract/case-reasons.ts'
import type { ReportCase } from '#contract/reports.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { QueueFilter } from './automatic-reason.tsx'
import { CaseCard, STATUS_LABELS } from './case-card.tsx'
import {
  ACTION_LABELS,
  type Decision,
  DecisionDialog,
  type DecisionInput,
  type ImmediateAction,
  type QueueAction,
} from './decision-dialog.tsx'
import { useNextCase } from './next-case.ts'
import type { TabData } from '#web/features/portal/portal-data.ts'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const PAGE_SIZE = 20

export const QUEUE_STATUSES = ['waiting', 'open', 'claimed', 'resolved', 'dismissed', 'appealed', 'all'] as const
type QueueStatus = (typeof QUEUE_STATUSES)[number]

const QUEUE_LABELS: Record<QueueStatus, string> = {
  ...STATUS_LABELS,
  waiting: 'To do',
  appealed: 'Appeals',
  all: 'All',
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
  { reason: decision, muteHours }: Partial<DecisionInput> = {},
): Promise<{ message: string }> {
  if (action !== 'release_version') {
    const mute = muteHours ? { mute_hours: muteHours } : {}
    return api('PUT /api/reports', { body: { id, action, ...(decision ? { decision } : {}), ...mute } })
  }
  const number = held_version?.number ?? 0
  return api('POST /api/version-release', { body: { script_id: subject_id, number, reason: decision ?? '' } })
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

  const { section, activeId, announcement, openNext } = useNextCase(cases, pagination?.total ?? 0, opened !== undefined)

  const send = async (reportCase: ReportCase, action: QueueAction, input?: DecisionInput) => {
    try {
      await run(() => sendDecision(api, reportCase, action, input), {
        success: ({ message }) => message,
        failure: `Failed to ${ACTION_LABELS[action].toLowerCase()}`,
      })
    } catch (error) {
      // Another moderator may have decided first.
      void revalidate()
      throw error
    }
    await revalidate()
  }
  const decide = async (reportCase: ReportCase, action: QueueAction, input: DecisionInput) => {
    const { id } = reportCase
    const index = cases.findIndex((listed) => listed.id === id)
    await send(reportCase, action, input)
    openNext({ id, index })
  }
  const choose = (reportCase: ReportCase, action: Decision | ImmediateAction) => {
    if (action === 'claim' || action === 'release') void send(reportCase, action).catch(() => undefined)
    else setOpened({ reportCase, decision: action })
  }

  const total = queue.isPending ? undefined : pagination?.total
  const tabs = QUEUE_STATUSES.map((id) => ({
    id,
    label: QUEUE_LABELS[id],
    to: hrefOf({ status: id, ordered_at: '' }),
    ...(id === status && total !== undefined ? { aside: <TabCount count={total} /> } : {}),
  }))
  return (
    <>
      <LinkTabs label="Status" tabs={tabs} current={status}>
        <div ref={section} tabIndex={-1} className="flex scroll-mt-18 flex-col gap-4 pt-4">
          <output className="sr-only">{announcement}</output>
          <QueueFilter
            order={filters.order}
            reason={filters.reason}
            onChange={(part) => change({ ordered_at: '', ...part })}
          />
          {queue.error && <LoadError text={queue.error} onRetry={queue.reload} />}
          {!reports && !queue.error && <TabSkeleton />}
          {reports && cases.length === 0 && <NoCases isWaiting={status === 'waiting'} />}
          {cases.length > 0 && (
            <CaseList cases={cases} isPending={queue.isPending} activeId={activeId} onChoose={choose} />
          )}
          {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
        </div>
      </LinkTabs>
      {opened && (
        <DecisionDialog
          reportCase={opened.reportCase}
          decision={opened.decision}
          onDecide={(action, input) => decide(opened.reportCase, action, input)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

interface CaseListProps {
  cases: readonly ReportCase[]
  isPending: boolean
  activeId: number | undefined
  onChoose: (reportCase: ReportCase, action: Decision | ImmediateAction) => void
}

function CaseList({ cases, isPending, activeId, onChoose }: CaseListProps) {
  return (
    <ul aria-label="Reports" aria-busy={isPending} className={`flex flex-col gap-3 ${isPending ? 'opacity-60' : ''}`}>
      {cases.map((reportCase) => (
        <li key={reportCase.id}>
          <CaseCard
            reportCase={reportCase}
            isActive={reportCase.id === activeId}
            onChoose={(action) => onChoose(reportCase, action)}
          />
        </li>
      ))}
    </ul>
  )
}

function NoCases({ isWaiting }: { isWaiting: boolean }) {
  const [title, text] = isWaiting
    ? ['All caught up', 'No reports are waiting for a decision.']
    : ['No reports', 'No reports have this status.']
  return <EmptyState icon={Inbox} title={title} text={text} />
}

const TabCount = ({ count }: { count: number }) => (
  <span className="text-sm font-normal tabular-nums">{fullCount(count)}</span>
)
