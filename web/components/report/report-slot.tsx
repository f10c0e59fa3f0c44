import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSession } from '#web/lib/session.tsx'

const ReportMenu = lazyComponent(async () => (await import('./report-menu.tsx')).ReportMenu)

/** The report menu for members. Visitors do not load its code. */
export function ReportSlot(props: ComponentProps<typeof ReportMenu>) {
  return (
    useSession().user && (
      <Suspense>
        <ReportMenu {...props} />
      </Suspense>
    )
  )
}
