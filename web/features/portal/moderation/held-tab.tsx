import { type HeldPage, HeldVersions, readHeld } from './held-versions.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { isStaff } from '#web/features/portal/staff-gate.tsx'
import { useUser } from '#web/lib/session.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { HoldHoursPanel } from './hold-hours-panel.tsx'

export const loader = createLoader((api, { query, signal }) => readHeld(api, query, signal), {
  errorTitle: 'Failed to fetch held versions',
  canLoad: isStaff,
})

/** Held versions, and for admins, how long versions wait. */
export function Component() {
  const tab = useTabData<HeldPage>()
  const isAdmin = useUser()?.is_admin === true
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Held versions">
        <HeldVersions tab={tab} />
      </Panel>
      {isAdmin && <HoldHoursPanel />}
    </div>
  )
}
