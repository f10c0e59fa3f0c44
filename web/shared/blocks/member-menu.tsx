import Ban from 'lucide-react/icons/ban'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useEffectEvent, useState } from 'react'
import { ReportMenu } from '#web/shared/report/report-menu.tsx'
import type { Subject } from '#web/shared/report/report-dialogs.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MenuAction } from '#web/ui/menu.tsx'
import { useBlockedMembers } from './blocked-members.ts'

interface Props {
  subject: Subject
  isOwn: boolean
  /** The member who wrote it. The slug is empty if the account is deleted. */
  member: { slug: string; name: string }
  onHidden?: (() => void) | undefined
  /** Called when it is known whether the viewer has blocked the member, and when that changes. */
  onBlocked?: ((isBlocked: boolean) => void) | undefined
}

/** The menu for what a member wrote: Report, Hide for moderators, and Block. Load it lazily, like ReportMenu. */
export function MemberMenu({ subject, isOwn, member: { slug, name }, onHidden, onBlocked }: Props) {
  const run = useAction()
  const { members, block, unblock } = useBlockedMembers()
  const [isConfirming, setConfirming] = useState(false)
  const blocked = members?.find((each) => each.slug === slug)
  const isBlocked = blocked !== undefined
  const report = useEffectEvent((value: boolean) => onBlocked?.(value))
  useEffect(() => report(isBlocked), [isBlocked])
  return (
    <>
      <ReportMenu subject={subject} isOwn={isOwn} onHidden={onHidden}>
        {slug !== '' &&
          (blocked ? (
            <MenuAction
              icon={CircleCheck}
              onSelect={() =>
                void run(() => unblock(blocked.user_id), {
                  success: `You unblocked ${name}`,
                  failure: `Couldn't unblock ${name}`,
                }).catch(() => undefined)
              }
            >
              Unblock
            </MenuAction>
          ) : (
            <MenuAction icon={Ban} onSelect={() => setConfirming(true)}>
              Block
            </MenuAction>
          ))}
      </ReportMenu>
      {isConfirming && (
        <ConfirmDialog
          title={`Block ${name}?`}
          text="They can't give you reputation, reply to your reviews or notify you, and what they write is collapsed for you. You stop following them. They won't be notified."
          confirmLabel="Block"
          busyLabel="Blocking..."
          onConfirm={() =>
            run(() => block(slug), { success: `You blocked ${name}`, failure: `Couldn't block ${name}` })
          }
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
