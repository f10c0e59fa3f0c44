import type { ReactNode } from 'react'
import { MAX_OPEN_WORK } from '#contract/limits.ts'
import type { OpenWork } from '#contract/reports.ts'
import { Outlet, useLocation, useNavigation } from '#web/router/router.tsx'
import { ColumnTabs, type ColumnTab } from '#web/ui/link-tabs.tsx'
import { createLoader } from './portal-data.ts'
import { isStaff } from './staff-gate.tsx'
import { TabSkeleton } from './tab-parts.tsx'

export interface StaffTab extends ColumnTab {
  /** The work that waits behind this tab. */
  work?: keyof OpenWork
}

/** Loads the numbers beside the tabs, for the route of a layout. They are left out if they cannot be loaded. */
export const loadOpenWork = createLoader((api, { signal }) => api('GET /api/open-work', { signal }), {
  canLoad: isStaff,
})
export type LoadedWork = Awaited<ReturnType<typeof loadOpenWork>>

/** The tab of the current path or, while another one opens, of that one. The first tab has the path of the layout. */
export function useStaffTab(tabs: readonly [StaffTab, ...StaffTab[]]): { tab: StaffTab; isOpening: boolean } {
  const { pathname } = useLocation()
  const { location: next } = useNavigation()
  const [first, ...others] = tabs
  // A tab opens immediately and shows a skeleton while its data is loading.
  const isOpening = next !== undefined && next.pathname !== pathname && isBelow(next.pathname, first.to)
  const path = isOpening ? next.pathname : pathname
  // A member's page is part of the User Management tab.
  return { tab: others.find(({ to }) => isBelow(path, to)) ?? first, isOpening }
}

const isBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`)

/** The tab with the number of what waits; without one if nothing does. */
export function withCount({ work, ...tab }: StaffTab, counts: OpenWork | undefined): ColumnTab {
  const count = (work && counts?.[work]) ?? 0
  if (count === 0) return tab
  const text = count < MAX_OPEN_WORK ? String(count) : `${MAX_OPEN_WORK - 1}+`
  return { ...tab, count: { text, description: work === 'failed_jobs' ? 'failed' : 'waiting' } }
}

interface Props {
  title: string
  tabs: readonly StaffTab[]
  tab: StaffTab
  isOpening: boolean
  work: LoadedWork
  /** Beside the title. */
  actions?: ReactNode
}

/** The title, the tabs in groups with what waits behind them, and the open tab. */
export function StaffLayout({ title, tabs, tab, isOpening, work, actions }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 pt-6 pb-24">
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="mr-auto text-2xl font-semibold">{title}</h1>
        {actions}
      </header>
      <ColumnTabs label={title} tabs={tabs.map((shown) => withCount(shown, work?.data))} current={tab.id}>
        <h2 className="sr-only">{tab.label}</h2>
        {isOpening ? <TabSkeleton /> : <Outlet />}
      </ColumnTabs>
    </div>
  )
}
