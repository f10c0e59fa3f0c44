import { type HeldPage, HeldVersions, readHeld } from './held-versions.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { Panel } from '#web/ui/panel.tsx'
import { HoldHoursPanel } from './hold-hours-panel.tsx'

export const loader = createLoader((api, { query, signal }) => readHeld(api, query, signal), {
  errorTitle: 'Failed to fetch held versions',
})

/** Held versions, and how long versions wait, for admins. */
export function Component() {
  const tab = useTabData<HeldPage>()
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Held versions">
        <HeldVersions tab={tab} />
      </Panel>
      <HoldHoursPanel />
    </div>
  )
}
