import UserRound from 'lucide-react/icons/user-round'
import { Navigate, useLocation } from '#web/router/router.tsx'
import { MessagePage } from '#web/components/message-page.tsx'
import { NeedsScript } from '#web/components/needs-script.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { ownProfilePath, useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

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

function ProfileSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 pt-4 pb-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-72" />
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex flex-col gap-5">
          <Skeleton className="h-11 w-48" />
          <Skeleton className="h-24" />
        </div>
        <Skeleton className="h-28" />
      </div>
    </div>
  )
}
