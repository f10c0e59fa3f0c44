import EyeOff from 'lucide-react/icons/eye-off'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { type ReportAction, ReportDialogs } from './report-dialogs.tsx'
import type { Subject } from './subject.ts'

/** The same as ReportMenu where there is room for buttons. */
export function ReportButtons({ subject, onHidden }: { subject: Subject; onHidden?: () => void }) {
  const { user } = useSession()
  const [opened, setOpened] = useState<ReportAction>()
  if (!user) return null
  const close = () => setOpened(undefined)
  return (
    <>
      <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setOpened('report')}>
        <Flag aria-hidden className="size-4" />
        Report
      </Button>
      {onHidden && (user.is_moderator || user.is_admin) && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setOpened('hide')}>
          <EyeOff aria-hidden className="size-4" />
          Hide
        </Button>
      )}
      <ReportDialogs opened={opened} subject={subject} onHidden={() => onHidden?.()} onClose={close} />
    </>
  )
}
