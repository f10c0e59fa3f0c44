import type { ReactNode } from 'react'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import ShieldX from 'lucide-react/icons/shield-x'
import type { CurrentUser } from '#contract/accounts.ts'
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { NeedsScript } from '#web/shared/sign-in/needs-script.tsx'
import { useSession } from '#web/lib/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'

interface Props {
  canEnter: (user: CurrentUser) => boolean
  signInText: string
  deniedText: string
  children: ReactNode
}

/** Moderators and admins. */
export const isStaff = (user: CurrentUser) => user.is_moderator || user.is_admin

/** Renders its children for members with the required role. Explains to everyone else why access is denied. */
export function StaffGate({ canEnter, signInText, deniedText, children }: Props) {
  const { status, user, signIn } = useSession()
  if (status === 'loading') {
    return (
      <NeedsScript>
        <LoadingSkeleton />
      </NeedsScript>
    )
  }
  if (status === 'anonymous') {
    return (
      <MessagePage icon={LockKeyhole} title="Authentication Required" text={signInText}>
        <Button variant="primary" onClick={() => void signIn()}>
          Login with Discord
        </Button>
      </MessagePage>
    )
  }
  if (canEnter(user)) return children
  return (
    <MessagePage icon={ShieldX} title="Access Denied" text={deniedText}>
      {user.is_moderator && <LinkButton to="/moderation">Go to the report queue</LinkButton>}
      <LinkButton to="/">Go to the front page</LinkButton>
    </MessagePage>
  )
}
