import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Outlet, useLoaderData, useLocation, useNavigation } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { PageHead } from '#web/shared/page-head.tsx'
import { NotFoundPage } from '#web/shared/error-pages.tsx'
import { Button } from '#web/ui/button.tsx'
import { ColumnTabs, type Tab } from '#web/ui/link-tabs.tsx'
import { type RefreshResult, useRefresh } from './portal-data.ts'
import { StaffGate } from './staff-gate.tsx'
import { TabSkeleton } from './tab-parts.tsx'

const BANNER_MS = 5000

const TABS = [
  { id: 'dashboard', label: 'Dashboard', to: '/admin' },
  { id: 'users', label: 'User Management', to: '/admin/users', heading: 'Manage' },
  { id: 'scripts', label: 'Script Management', to: '/admin/scripts' },
  { id: 'showcases', label: 'Showcase Management', to: '/admin/showcases' },
  { id: 'giveaways', label: 'Giveaway Management', to: '/admin/giveaways' },
  { id: 'moderation', label: 'Moderation', to: '/admin/moderation', heading: 'Community' },
  { id: 'held', label: 'Held versions', to: '/admin/held' },
  { id: 'notifications', label: 'Notifications', to: '/admin/notifications' },
  { id: 'behavior', label: 'Behavior', to: '/admin/behavior', heading: 'Site' },
  { id: 'webhooks', label: 'Webhooks', to: '/admin/webhooks' },
  { id: 'jobs', label: 'Jobs', to: '/admin/jobs' },
  { id: 'branding', label: 'Branding', to: '/admin/branding' },
] as const satisfies readonly Tab[]
type PortalTab = (typeof TABS)[number]

/** The tab of a portal path. A member's page is part of the User Management tab. */
const tabOf = (pathname: string): PortalTab => TABS.find(({ id }) => id === pathname.split('/')[2]) ?? TABS[0]

/** Responds with 404 to a member id that is not a number. */
export function loader({ params: { id } }: LoaderArgs) {
  const isFound = id === undefined || /^[1-9]\d{0,8}$/.test(id)
  return data(isFound, { status: isFound ? 200 : 404 })
}

export function Component() {
  const isFound = useLoaderData<boolean>()
  const { pathname } = useLocation()
  const { location: next } = useNavigation()
  // A tab opens immediately and shows a skeleton while its data is loading.
  const isOpening = next !== undefined && next.pathname !== pathname && /^\/admin(\/|$)/.test(next.pathname)
  const tab = tabOf(isOpening ? next.pathname : pathname)
  if (!isFound) return <NotFoundPage />
  return (
    <>
      <PageHead
        title={`${tab.label} · Admin portal`}
        description="Site administration."
        path={tab.to}
        isListed={false}
      />
      <StaffGate
        canEnter={(user) => user.is_admin}
        signInText="Please log in to access the admin portal."
        deniedText="You don't have permission to access the admin portal."
      >
        <Portal tab={tab}>{isOpening ? <TabSkeleton /> : <Outlet />}</Portal>
      </StaffGate>
    </>
  )
}

function Portal({ tab, children }: { tab: PortalTab; children: ReactNode }) {
  const [banner, setBanner] = useState<RefreshResult>()
  const { refresh, isRefreshing } = useRefresh(setBanner)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 pt-6 pb-24">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="mr-auto text-2xl font-semibold">Admin portal</h1>
        <Banner message={banner} onClose={() => setBanner(undefined)} />
        <Button aria-disabled={isRefreshing} onClick={isRefreshing ? undefined : refresh}>
          <RefreshCw aria-hidden className={`size-4 ${isRefreshing ? 'motion-safe:animate-spin' : ''}`} />
          Refresh Data
        </Button>
      </header>
      <ColumnTabs label="Admin portal" tabs={TABS} current={tab.id}>
        <h2 className="sr-only">{tab.label}</h2>
        {children}
      </ColumnTabs>
    </div>
  )
}

/** The result of a requested refresh, for five seconds. */
function Banner({ message, onClose }: { message: RefreshResult | undefined; onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!message) return undefined
    const timer = setTimeout(() => close(), BANNER_MS)
    return () => clearTimeout(timer)
  }, [message])
  const isError = message?.tone === 'error'
  const Icon = isError ? CircleAlert : CircleCheck
  return (
    <div role={isError ? 'alert' : 'status'} className="max-sm:order-last max-sm:w-full">
      {message && (
        <p
          className={`flex min-h-10 items-center gap-2 rounded-md border px-3 wrap-anywhere ${isError ? 'border-danger text-danger' : 'border-line text-success'} bg-surface-1`}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          {message.text}
        </p>
      )}
    </div>
  )
}
