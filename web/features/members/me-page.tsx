import UserRound from 'lucide-react/icons/user-round'
import { Navigate, useLocation } from '#web/router/router.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { NeedsScript } from '#web/shared/sign-in/needs-script.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { ownProfilePath, useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'

/** Redirects members to their own profile. */
export function Component() {
  const { status, user, signIn } = useSession()
  const { search } = useLocation()
  return (
    <>
      <PageHead title="Your profile" description="Your own profile." path="/profile/me" isListed={false} />
      {status === 'loading' && (
        <NeedsScript>
          <ProfileSkeleton />
        </NeedsScript>
      )}
      {user && <Navigate to={ownProfilePath(user) + search} replace />}
      {status === 'anonymous' && (
        <MessagePage
          icon={UserRound}
          title="Please log in to view your profile"
          text="See your scripts, stats and bio."
        >
          <Button variant="primary" onClick={() => void signIn()}>
            Login with Discord
          </Button>
        </MessagePage>
      )}
    </>
  )
}
