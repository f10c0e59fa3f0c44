import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import ShieldX from 'lucide-react/icons/shield-x'
import { useEffect, useState } from 'react'
import { LoadingSkeleton } from '#web/components/loading-skeleton.tsx'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { useSession } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { ReportQueue } from '#web/features/admin/moderation/report-queue.tsx'
import { QUEUE_STATUSES } from '#web/features/admin/moderation/report-words.ts'
import { createRefresher, RefresherContext } from './refresher.ts'
import { useTabQuery } from './use-tab-query.ts'

const CHOICES = { status: QUEUE_STATUSES } as const

/** The report queue for moderators, who have no portal. */
export function Component() {
  return (
    <>
      <PageHead title="Reports" description="What members have reported." path="/moderation" isListed={false} />
      <Gate />
    </>
  )
}

function Gate() {
  const { status, user } = useSession()
  if (status === 'loading') return <LoadingSkeleton />
  if (status === 'anonymous') {
    return (
      <MessagePage icon={LockKeyhole} title="Authentication Required" text="Please log in to see the report queue." />
    )
  }
  if (user.is_moderator || user.is_admin) return <Queue />
  return (
    <MessagePage icon={ShieldX} title="Access Denied" text="The report queue is for moderators.">
      <LinkButton to="/">Go to the front page</LinkButton>
    </MessagePage>
  )
}

function Queue() {
  const { values, change, hrefOfPage } = useTabQuery(CHOICES)
  const [refresher] = useState(createRefresher)
  useEffect(() => refresher.start(), [refresher])
  return (
    <RefresherContext value={refresher}>
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-8">
        <h1 className="text-2xl font-semibold">Reports</h1>
        <h2 className="sr-only">Queue</h2>
        <h3 className="sr-only">Reported things</h3>
        <ReportQueue
          status={values.status}
          page={values.page}
          onStatus={(status) => change({ status })}
          hrefOfPage={hrefOfPage}
        />
      </div>
    </RefresherContext>
  )
}
