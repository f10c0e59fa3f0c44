import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { isStaff } from '#web/features/portal/staff-gate.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QUEUE_QUERY, readReports, ReportQueue, type ReportPage } from './report-queue.tsx'

export const loader = createLoader(
  (api, { query, signal }) => readReports(api, readListQuery(query, QUEUE_QUERY), signal),
  { canLoad: isStaff },
)

/** The report queue without the audit log, for moderators. */
export function Component() {
  const { values, hrefOf, change } = useListQuery(QUEUE_QUERY)
  const queue = useTabData<ReportPage>()
  return (
    <Panel title="Reports">
      <ReportQueue queue={queue} reports={queue.data} filters={values} hrefOf={hrefOf} change={change} />
    </Panel>
  )
}
