import Inbox from 'lucide-react/icons/inbox'
import { useState } from 'react'
import type { ReportCase } from '#contract/reports.ts'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import { CaseCard } from './case-card.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import { CASE_ACTIONS, type CaseAction, QUEUE_LABELS, type QueueStatus } from './report-words.ts'

const LIMIT = 20

/** What members have reported, the longest waiting first. */
export function ReportQueue({
  status,
  page,
  onStatus,
  hrefOfPage,
}: {
  status: QueueStatus
  page: number
  onStatus: (status: QueueStatus) => void
  hrefOfPage: (page: number) => string
}) {
  const api = useApi()
  const deed = useAction()
  const live = useLive(
    `reports ${status} ${page}`,
    (signal) => api('GET /api/reports', { query: { status, page, limit: LIMIT }, signal }),
    'Failed to fetch data',
  )
  const [opened, setOpened] = useState<{ one: ReportCase; action: CaseAction }>()
  const { cases = [], pagination } = live.data ?? {}

  const decide = async (one: ReportCase, action: CaseAction, decision?: string) => {
    try {
      await deed(() => api('PUT /api/reports', { body: { id: one.id, action, ...(decision ? { decision } : {}) } }), {
        success: ({ message }) => message,
        failure: `Failed to ${CASE_ACTIONS[action].label.toLowerCase()}`,
      })
    } finally {
      // Another moderator may have been quicker: what it is now is shown in any case.
      void live.reload()
    }
  }
  const choose = (one: ReportCase, action: CaseAction) => {
    if (CASE_ACTIONS[action].isReasonRequired === undefined) void decide(one, action).catch(() => undefined)
    else setOpened({ one, action })
  }

  return (
    <div className="flex flex-col gap-4">
      <div>
        <Select keepsLabel label="Status" value={status} options={QUEUE_LABELS} onChange={onStatus} />
      </div>
      {live.failure && <LoadError text={live.failure} onRetry={live.reload} />}
      {!live.data && !live.failure && <TabSkeleton />}
      {live.data && cases.length === 0 && <EmptyState icon={Inbox} title="Nothing here" text={emptyText(status)} />}
      {cases.length > 0 && (
        <ul
          aria-label="Reports"
          aria-busy={live.isPending}
          className={`flex flex-col gap-3 ${live.isPending ? 'opacity-60' : ''}`}
        >
          {cases.map((one) => (
            <li key={one.id}>
              <CaseCard one={one} onChoose={(action) => choose(one, action)} />
            </li>
          ))}
        </ul>
      )}
      {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
      {opened && (
        <DecideDialog
          one={opened.one}
          action={opened.action}
          onDecide={(decision) => decide(opened.one, opened.action, decision)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

const emptyText = (status: QueueStatus) =>
  status === 'waiting' ? 'No report waits for a decision.' : 'No report has this status.'
