import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSession } from '#web/lib/session.tsx'
import type { ReportMenuProps } from './report-menu.tsx'

const ReportMenu = lazyComponent(async () => (await import('./report-menu.tsx')).ReportMenu)

/** Where members find the way to report a thing; empty for visitors, who load nothing of it. */
export function ReportSlot(props: ReportMenuProps) {
  return (
    useSession().user && (
      <Suspense>
        <ReportMenu {...props} />
      </Suspense>
    )
  )
}
