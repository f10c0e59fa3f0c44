import Compass from 'lucide-react/icons/compass'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import ShieldX from 'lucide-react/icons/shield-x'
import { useLoaderData } from 'react-router'
import { LoadingSkeleton } from '#web/components/loading-skeleton.tsx'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead, PageTitle } from '#web/components/page-head.tsx'
import { useSession } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Portal } from './portal.tsx'
import { type PortalPlace, TAB_LABELS, tabAddress } from './portal-tabs.ts'

export { loadPortal as loader } from './load-portal.ts'

/** The portal for admins; for all others why they do not see it. */
export function Component() {
  const place = useLoaderData<PortalPlace | null>()
  if (!place) return <NoSuchTab />
  return (
    <>
      <PageHead
        title={`${TAB_LABELS[place.tab]} · Admin portal`}
        description="Where admins look after the site."
        path={tabAddress(place.tab)}
        isListed={false}
      />
      <Gate>
        <Portal place={place} />
      </Gate>
    </>
  )
}

function NoSuchTab() {
  return (
    <MessagePage icon={Compass} title="Page not found" text="The admin portal has no tab at this address.">
      <PageTitle title="Page not found" />
      <meta name="robots" content="noindex" />
      <LinkButton to="/admin">Go to the dashboard</LinkButton>
    </MessagePage>
  )
}

function Gate({ children }: { children: React.ReactNode }) {
  const { status, user } = useSession()
  if (status === 'loading') return <LoadingSkeleton />
  if (status === 'anonymous') {
    return (
      <MessagePage
        icon={LockKeyhole}
        title="Authentication Required"
        text="Please log in to access the admin portal."
      />
    )
  }
  if (user.is_admin) return children
  return (
    <MessagePage icon={ShieldX} title="Access Denied" text="You don't have permission to access the admin portal.">
      {user.is_moderator && <LinkButton to="/moderation">Go to the report queue</LinkButton>}
      <LinkButton to="/">Go to the front page</LinkButton>
    </MessagePage>
  )
}
