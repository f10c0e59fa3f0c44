import Ellipsis from 'lucide-react/icons/ellipsis'
import EyeOff from 'lucide-react/icons/eye-off'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { useSession } from '#web/lib/session.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { MenuAction } from '#web/ui/menu-item.tsx'
import { type ReportAction, ReportDialogs } from './report-dialogs.tsx'
import type { Subject } from './subject.ts'

export interface ReportMenuProps {
  subject: Subject
  isOwn: boolean
  /** Called once it is out of sight; left out where nothing can be hidden. */
  onHidden?: () => void
}

/**
 * What a member can do about a thing that breaks the rules: Report, and Hide for those who moderate. Not about their
 * own, and nothing for visitors. To be loaded lazily: no visitor needs it.
 */
export function ReportMenu({ subject, isOwn, onHidden }: ReportMenuProps) {
  const { user } = useSession()
  const [opened, setOpened] = useState<ReportAction>()
  if (!user || isOwn) return null
  const canHide = onHidden !== undefined && (user.is_moderator || user.is_admin)
  const close = () => setOpened(undefined)
  return (
    <>
      <Menu
        label={`More about ${subject.title}`}
        button={<Ellipsis aria-hidden className="size-5" />}
        buttonClass={iconButtonClass}
      >
        <MenuAction icon={Flag} onSelect={() => setOpened('report')}>
          Report
        </MenuAction>
        {canHide && (
          <MenuAction icon={EyeOff} tone="danger" onSelect={() => setOpened('hide')}>
            Hide
          </MenuAction>
        )}
      </Menu>
      <ReportDialogs opened={opened} subject={subject} onHidden={() => onHidden?.()} onClose={close} />
    </>
  )
}
