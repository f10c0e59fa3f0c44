import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { Subject } from './subject.ts'

const ReportDialog = lazyComponent(async () => (await import('./report-dialog.tsx')).ReportDialog)
const HideDialog = lazyComponent(async () => (await import('./hide-dialog.tsx')).HideDialog)

export type ReportAction = 'report' | 'hide'

/** The dialog that is open, loaded when it is first asked for. */
export function ReportDialogs({
  opened,
  subject,
  onHidden,
  onClose,
}: {
  opened: ReportAction | undefined
  subject: Subject
  onHidden: () => void
  onClose: () => void
}) {
  return (
    <Suspense>
      {opened === 'report' && <ReportDialog subject={subject} onClose={onClose} />}
      {opened === 'hide' && <HideDialog subject={subject} onDone={onHidden} onClose={onClose} />}
    </Suspense>
  )
}
