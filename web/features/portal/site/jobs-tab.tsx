import { useState } from 'react'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { FailedJob, JobQueueStatus } from '#contract/jobs.ts'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useRevalidator } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { cell, Head, numberCell, Table, useIsWide } from '#web/features/portal/table.tsx'
import { Fact, LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

export const loader = createLoader((api, { signal }) => api('GET /api/jobs', { signal }), {
  errorTitle: 'Failed to fetch jobs',
})

/** The queues of background jobs, and the jobs that failed at every attempt. */
export function Component() {
  const { data, error, isPending, reload } = useTabData<ResultOf<'GET /api/jobs'>>()
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!data) return <TabSkeleton />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Background jobs. Failed jobs retry automatically; jobs out of retries are listed here.
      </p>
      <Panel title="Queues">
        <Queues queues={data.queues} isPending={isPending} />
      </Panel>
      <FailedJobs jobs={data.failed} />
    </div>
  )
}

const sinceText = ({ due_since }: JobQueueStatus) => (due_since ? timeText(due_since) : '–')

function Queues({ queues, isPending }: { queues: readonly JobQueueStatus[]; isPending: boolean }) {
  const isWide = useIsWide()
  if (queues.length === 0) return <p className="text-muted">This site has no queues.</p>
  if (!isWide) {
    return (
      <ul aria-label="Queues" className="flex flex-col divide-y divide-line">
        {queues.map((queue) => (
          <li key={queue.name} className="py-3 first:pt-0 last:pb-0">
            <p className="font-medium wrap-anywhere">{queue.name}</p>
            <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <Fact name="Waiting">{fullCount(queue.waiting)}</Fact>
              <Fact name="Running">{fullCount(queue.running)}</Fact>
              <Fact name="Failed">{fullCount(queue.failed)}</Fact>
              <Fact name="Oldest waiting since">{sinceText(queue)}</Fact>
            </dl>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table
      label="Queues"
      isPending={isPending}
      head={
        <>
          <Head>Queue</Head>
          <Head isNumber>Waiting</Head>
          <Head isNumber>Running</Head>
          <Head isNumber>Failed</Head>
          <Head isNumber>Oldest waiting since</Head>
        </>
      }
    >
      {queues.map((queue) => (
        <tr key={queue.name}>
          <th scope="row" className={`${cell} font-medium wrap-anywhere`}>
            {queue.name}
          </th>
          <td className={numberCell}>{fullCount(queue.waiting)}</td>
          <td className={numberCell}>{fullCount(queue.running)}</td>
          <td className={numberCell}>{fullCount(queue.failed)}</td>
          <td className={numberCell}>{sinceText(queue)}</td>
        </tr>
      ))}
    </Table>
  )
}

const idsOf = (jobs: readonly FailedJob[]) => jobs.map(({ id }) => id)

function FailedJobs({ jobs }: { jobs: readonly FailedJob[] }) {
  const act = useJobAction()
  const [deleted, setDeleted] = useState<readonly FailedJob[]>()
  return (
    <Panel
      title="Failed jobs"
      aside={
        jobs.length > 1 && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => void act({ action: 'run_again', ids: idsOf(jobs) }).catch(() => {})}>
              Run all again
            </Button>
            <Button size="sm" aria-haspopup="dialog" onClick={() => setDeleted(jobs)}>
              Delete all
            </Button>
          </div>
        )
      }
    >
      {jobs.length === 0 && (
        <EmptyState icon={CircleCheck} title="No failed jobs" text="Jobs that ran out of retries appear here." />
      )}
      <ul aria-label="Failed jobs" className="flex flex-col divide-y divide-line">
        {jobs.map((job) => (
          <li key={job.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium wrap-anywhere">{job.queue}</p>
              <p dir="auto" className="wrap-anywhere">
                {job.reason ?? 'Unknown reason'}
              </p>
              <p className="text-sm text-muted tabular-nums">
                Failed {timeText(job.failed_at)}, {job.attempts === 1 ? '1 attempt' : `${job.attempts} attempts`}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                size="sm"
                aria-label={`Run again: ${describeJob(job)}`}
                onClick={() => void act({ action: 'run_again', ids: [job.id] }).catch(() => {})}
              >
                Run again
              </Button>
              <Button
                size="sm"
                aria-haspopup="dialog"
                aria-label={`Delete: ${describeJob(job)}`}
                onClick={() => setDeleted([job])}
              >
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {deleted && (
        <ConfirmDialog
          title={deleted.length === 1 ? 'Delete job' : `Delete ${deleted.length} jobs`}
          text="Deleted jobs never run. This cannot be undone."
          confirmLabel="Delete"
          busyLabel="Deleting..."
          onConfirm={() => act({ action: 'delete', ids: idsOf(deleted) })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </Panel>
  )
}

const describeJob = ({ queue, failed_at }: FailedJob) => `${queue}, failed ${timeText(failed_at)}`

/** Changes failed jobs, shows a toast with the outcome and reloads the tab. Rejects if the action failed. */
function useJobAction() {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  return async (body: BodyOf<'POST /api/jobs'>) => {
    await run(() => api('POST /api/jobs', { body }), {
      success: ({ message }) => message,
      failure: 'Failed to change the job',
    })
    void revalidate()
  }
}
