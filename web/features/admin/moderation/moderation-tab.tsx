import Hourglass from 'lucide-react/icons/hourglass'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useTabQuery } from '#web/features/admin/use-tab-query.ts'
import { AuditLog } from './audit-log.tsx'
import { ReportQueue } from './report-queue.tsx'
import { QUEUE_STATUSES } from './report-words.ts'

const CHOICES = { status: QUEUE_STATUSES, action: [], actor: [], member: [], from: [], to: [], before: [] } as const

export type ModerationValues = ReturnType<typeof useTabQuery<typeof CHOICES>>['values']

export function Tab() {
  const query = useTabQuery(CHOICES)
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Reports">
        <ReportQueue
          status={query.values.status}
          page={query.values.page}
          onStatus={(status) => query.change({ status })}
          hrefOfPage={query.hrefOfPage}
        />
      </Panel>
      <Panel title="Audit Log">
        <AuditLog values={query.values} change={query.change} />
      </Panel>
      <Panel title="Script Content Moderation">
        <EmptyState icon={Hourglass} title="Coming Soon" text="Script content moderation is on its way." />
      </Panel>
    </div>
  )
}
