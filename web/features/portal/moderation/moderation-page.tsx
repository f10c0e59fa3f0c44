import { useLoaderData } from '#web/router/router.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { useRefresh } from '#web/features/portal/portal-data.ts'
import { isStaff, StaffGate } from '#web/features/portal/staff-gate.tsx'
import { loadOpenWork, StaffLayout, type StaffTab, useStaffTab } from '#web/features/portal/staff-layout.tsx'

const TABS = [
  { id: 'reports', label: 'Reports', to: '/moderation', work: 'cases' },
  { id: 'held', label: 'Held versions', to: '/moderation/held', work: 'held_versions' },
  { id: 'behavior', label: 'Script behavior', to: '/moderation/behavior' },
] as const satisfies readonly StaffTab[]

type Opened = ReturnType<typeof useStaffTab>

export const loader = loadOpenWork

/** Tabs of the portal as pages of moderators, who have no access to the portal. */
export function Component() {
  const opened = useStaffTab(TABS)
  const { label, to } = opened.tab
  return (
    <>
      <PageHead title={`${label} · Moderation`} description="For moderators." path={to} isListed={false} />
      <StaffGate
        canEnter={isStaff}
        signInText="Please log in to see the report queue."
        deniedText="The report queue is for moderators."
      >
        <Moderation {...opened} />
      </StaffGate>
    </>
  )
}

function Moderation(opened: Opened) {
  const work = useLoaderData<typeof loader>()
  useRefresh()
  return <StaffLayout title="Moderation" tabs={TABS} work={work} {...opened} />
}
