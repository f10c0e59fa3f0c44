import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '#web/lib/api-context.ts'
import { LoadError } from '#web/features/admin/load-error.tsx'
import { AuditList } from '#web/features/admin/moderation/audit-list.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { tabAddress } from '#web/features/admin/portal-tabs.ts'
import { TabSkeleton } from '#web/features/admin/tab-skeleton.tsx'
import { useLive } from '#web/features/admin/use-live.ts'
import type { UserAction } from '#web/features/admin/users/user-actions.ts'
import { UserDialog } from '#web/features/admin/users/user-dialogs.tsx'
import { MemberFacts } from './member-facts.tsx'
import { MemberHeader } from './member-header.tsx'
import { MemberReviews } from './member-reviews.tsx'
import { MemberScripts } from './member-scripts.tsx'
import { Sanctions } from './sanctions.tsx'

/** All that the portal knows of a member. */
export function MemberView({ id }: { id: number }) {
  const api = useApi()
  const [deed, setDeed] = useState<UserAction>()
  const { data, failure, reload } = useLive(
    `member ${id}`,
    (signal) => api('GET /api/admin-user', { query: { user_id: id }, signal }),
    'Failed to fetch data',
  )
  return (
    <div className="flex flex-col gap-4">
      <Link
        to={tabAddress('users')}
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-muted hover:text-text sm:min-h-8"
      >
        <ArrowLeft aria-hidden className="size-4" />
        All users
      </Link>
      {failure && <LoadError text={failure} onRetry={reload} />}
      {!data && !failure && <TabSkeleton />}
      {data && (
        <>
          <MemberHeader user={data.user} onChoose={setDeed} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <Sanctions sanctions={data.sanctions} />
              <Panel title="Audit trail">
                <AuditList rows={data.audit} isAboutOne />
              </Panel>
              <MemberScripts scripts={data.scripts} />
              <MemberReviews reviews={data.reviews} />
            </div>
            <MemberFacts user={data.user} />
          </div>
          {deed && (
            <UserDialog user={data.user} deed={deed} onDone={() => void reload()} onClose={() => setDeed(undefined)} />
          )}
        </>
      )}
    </div>
  )
}
