import UserRound from 'lucide-react/icons/user-round'
import { Navigate } from 'react-router'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { ownProfilePath, useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'

/** Leads a member to their own profile. */
export function Component() {
  const { status, user, signIn } = useSession()
  return (
    <>
      <PageHead title="Your profile" description="Your own profile." path="/profile/me" isListed={false} />
      {status === 'loading' && <ProfileSkeleton />}
      {user && <Navigate to={ownProfilePath(user)} replace />}
      {status === 'anonymous' && (
        <MessagePage
          icon={UserRound}
          title="Please log in to view your profile"
          text="Your scripts, your figures and what you tell about yourself stand there."
        >
          <Button variant="primary" onClick={() => void signIn()}>
            Login with Discord
          </Button>
        </MessagePage>
      )}
    </>
  )
}
