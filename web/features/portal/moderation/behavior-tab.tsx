import { type BehaviorData, BehaviorOverview, readBehavior } from './behavior-overview.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'

export const loader = createLoader((api, { query, signal }) => readBehavior(api, query, signal), {
  errorTitle: 'Failed to fetch behavior',
})

/** What listed scripts do, for admins. */
export function Component() {
  return <BehaviorOverview tab={useTabData<BehaviorData>()} />
}
