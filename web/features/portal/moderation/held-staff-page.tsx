import type { CurrentUser } from '#contract/accounts.ts'
import { PageHead } from '#web/shared/page-head.tsx'
import { type HeldPage, HeldVersions, readHeld } from './held-versions.tsx'
import { createLoader, useRefresh, useTabData } from '#web/features/portal/portal-data.ts'
import { StaffGate } from '#web/features/portal/staff-gate.tsx'

const isStaff = (user: CurrentUser) => user.is_moderator || user.is_admin

export const loader = createLoader((api, { query, signal }) => readHeld(api, query, signal), { canLoad: isStaff })

/** The portal's list of held versions as a page, because moderators have no access to the portal. */
export function Component() {
  return (
    <>
      <PageHead
        title="Held versions"
        description="Versions that wait for a decision."
        path="/moderation/held"
        isListed={false}
      />
      <StaffGate
        canEnter={isStaff}
        signInText="Please log in to see the versions that wait."
        deniedText="This page is for moderators."
      >
        <Overview />
      </StaffGate>
    </>
  )
}

function Overview() {
  const tab = useTabData<HeldPage>()
  useRefresh()
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-8">
      <h1 className="text-2xl font-semibold">Held versions</h1>
      <h2 className="sr-only">List</h2>
      <HeldVersions tab={tab} />
    </div>
  )
}
