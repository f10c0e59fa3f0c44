import type { CurrentUser } from '#contract/accounts.ts'
import { PageHead } from '#web/shared/page-head.tsx'
import { Link } from '#web/router/router.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, useRefresh, useTabData } from '#web/features/portal/portal-data.ts'
import { QUEUE_QUERY, readReports, ReportQueue, type ReportPage } from './report-queue.tsx'
import { StaffGate } from '#web/features/portal/staff-gate.tsx'

const PAGES = [
  { label: 'Held versions', to: '/moderation/held' },
  { label: 'Script behavior', to: '/moderation/behavior' },
] as const

const isStaff = (user: CurrentUser) => user.is_moderator || user.is_admin

export const loader = createLoader(
  (api, { query, signal }) => readReports(api, readListQuery(query, QUEUE_QUERY), signal),
  {
    canLoad: isStaff,
  },
)

/** The report queue as a separate page, because moderators have no access to the portal. */
export function Component() {
  return (
    <>
      <PageHead title="Reports" description="Content that members reported." path="/moderation" isListed={false} />
      <StaffGate
        canEnter={isStaff}
        signInText="Please log in to see the report queue."
        deniedText="The report queue is for moderators."
      >
        <Queue />
      </StaffGate>
    </>
  )
}

function Queue() {
  const { values, hrefOf, change } = useListQuery(QUEUE_QUERY)
  const queue = useTabData<ReportPage>()
  useRefresh()
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="text-2xl font-semibold">Reports</h1>
        <nav aria-label="Moderation" className="flex flex-wrap gap-x-5">
          {PAGES.map(({ label, to }) => (
            <Link key={to} to={to} className="inline-flex min-h-11 items-center text-accent hover:underline">
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <h2 className="sr-only">Queue</h2>
      <h3 className="sr-only">Reported content</h3>
      <ReportQueue queue={queue} reports={queue.data} filters={values} hrefOf={hrefOf} change={change} />
    </div>
  )
}
