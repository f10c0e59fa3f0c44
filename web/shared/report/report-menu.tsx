import { type ReactNode, Suspense, useState } from 'react'
import Ellipsis from 'lucide-react/icons/ellipsis'
import EyeOff from 'lucide-react/icons/eye-off'
import Flag from 'lucide-react/icons/flag'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import type { Subject } from './report-dialogs.tsx'

const ReportDialog = lazyComponent(async () => (await import('./report-dialogs.tsx')).ReportDialog)
const HideDialog = lazyComponent(async () => (await import('./report-dialogs.tsx')).HideDialog)

interface Props {
  subject: Subject
  /** Called after the content was hidden. Without it there is no Hide action. */
  onHidden?: (() => void) | undefined
}

/**
 * The menu for content that breaks the rules: Report, and Hide for moderators. Shows nothing to visitors and to the owner.
 * `children` are more actions. Load it lazily, because visitors never need it.
 */
export function ReportMenu({ subject, isOwn, onHidden, children }: Props & { isOwn: boolean; children?: ReactNode }) {
  const { user, actions, dialogs } = useReport({ subject, onHidden })
  if (!user || isOwn) return null
  return (
    <>
      <Menu
        label={`More about ${subject.title}`}
        button={<Ellipsis aria-hidden className="size-5" />}
        buttonClass={iconButtonClass}
      >
        {actions}
        {children}
      </Menu>
      {dialogs}
    </>
  )
}

/** The same actions as buttons. */
export function ReportButtons({ subject, onHidden }: Props) {
  const { user, canHide, setOpened, dialogs } = useReport({ subject, onHidden })
  if (!user) return null
  return (
    <>
      <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setOpened('report')}>
        <Flag aria-hidden className="size-4" />
        Report
      </Button>
      {canHide && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setOpened('hide')}>
          <EyeOff aria-hidden className="size-4" />
          Hide
        </Button>
      )}
      {dialogs}
    </>
  )
}

/** The same actions for a menu, and the dialogs that they open, which are rendered outside the menu. */
export function useReport({ subject, onHidden }: Props) {
  const user = useUser()
  const [opened, setOpened] = useState<'report' | 'hide'>()
  const close = () => setOpened(undefined)
  const canHide = onHidden !== undefined && user !== undefined && (user.is_moderator || user.is_admin)
  return {
    user,
    canHide,
    setOpened,
    actions: (
      <>
        <MenuAction icon={Flag} onSelect={() => setOpened('report')}>
          Report
        </MenuAction>
        {canHide && (
          <MenuAction icon={EyeOff} tone="danger" onSelect={() => setOpened('hide')}>
            Hide
          </MenuAction>
        )}
      </>
    ),
    dialogs: (
      <Suspense>
        {opened === 'report' && <ReportDialog subject={subject} onClose={close} />}
        {opened === 'hide' && <HideDialog subject={subject} onHidden={() => onHidden?.()} onClose={close} />}
      </Suspense>
    ),
  }
}
