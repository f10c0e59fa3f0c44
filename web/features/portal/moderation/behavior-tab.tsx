import { type BehaviorData, BehaviorOverview, readBehavior } from './behavior-overview.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { isStaff } from '#web/features/portal/staff-gate.tsx'

export const loader = createLoader((api, { query, signal }) => readBehavior(api, query, signal), {
  errorTitle: 'Failed to fetch behavior',
  canLoad: isStaff,
})

/** What listed scripts do. */
export function Component() {
  return <BehaviorOverview tab={useTabData<BehaviorData>()} />
}
