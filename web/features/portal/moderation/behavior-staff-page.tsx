import type { CurrentUser } from '#contract/accounts.ts'
import { PageHead } from '#web/shared/page-head.tsx'
import { type BehaviorData, BehaviorOverview, readBehavior } from './behavior-overview.tsx'
import { createLoader, useRefresh, useTabData } from '#web/features/portal/portal-data.ts'
import { StaffGate } from '#web/features/portal/staff-gate.tsx'

const isStaff = (user: CurrentUser) => user.is_moderator || user.is_admin

export const loader = createLoader((api, { query, signal }) => readBehavior(api, query, signal), { canLoad: isStaff })

/** The portal's Behavior tab as a page, because moderators have no access to the portal. */
export function Component() {
  return (
    <>
      <PageHead
        title="Script behavior"
        description="Findings of the code check in public scripts."
        path="/moderation/behavior"
        isListed={false}
      />
      <StaffGate
        canEnter={isStaff}
        signInText="Please log in to see what scripts do."
        deniedText="This page is for moderators."
      >
        <Overview />
      </StaffGate>
    </>
  )
}

function Overview() {
  const tab = useTabData<BehaviorData>()
  useRefresh()
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <h1 className="text-2xl font-semibold">Script behavior</h1>
      <h2 className="sr-only">Overview</h2>
      <BehaviorOverview tab={tab} />
    </div>
  )
}
