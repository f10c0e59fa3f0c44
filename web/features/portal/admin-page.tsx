import { useEffect, useEffectEvent, useState } from 'react'
import { useLoaderData } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { PageHead } from '#web/shared/page-head.tsx'
import { NotFoundPage } from '#web/shared/error-pages.tsx'
import { Button } from '#web/ui/button.tsx'
import { type RefreshResult, useRefresh } from './portal-data.ts'
import { StaffGate } from './staff-gate.tsx'
import { type LoadedWork, loadOpenWork, StaffLayout, type StaffTab, useStaffTab } from './staff-layout.tsx'

const BANNER_MS = 5000

const TABS = [
  { id: 'dashboard', label: 'Dashboard', to: '/admin' },
  { id: 'users', label: 'User Management', to: '/admin/users', group: 'Community' },
  { id: 'moderation', label: 'Moderation', to: '/admin/moderation', group: 'Community', work: 'cases' },
  { id: 'giveaways', label: 'Giveaway Management', to: '/admin/giveaways', group: 'Community' },
  { id: 'notifications', label: 'Notifications', to: '/admin/notifications', group: 'Community' },
  { id: 'scripts', label: 'Script Management', to: '/admin/scripts', group: 'Content' },
  { id: 'showcases', label: 'Showcase Management', to: '/admin/showcases', group: 'Content' },
  { id: 'held', label: 'Held versions', to: '/admin/held', group: 'Content', work: 'held_versions' },
  { id: 'behavior', label: 'Behavior', to: '/admin/behavior', group: 'Content' },
  { id: 'jobs', label: 'Jobs', to: '/admin/jobs', group: 'Site', work: 'failed_jobs' },
  { id: 'webhooks', label: 'Webhooks', to: '/admin/webhooks', group: 'Site' },
  { id: 'branding', label: 'Branding', to: '/admin/branding', group: 'Site' },
] as const satisfies readonly StaffTab[]

interface PortalData {
  isFound: boolean
  work: LoadedWork
}

/** Responds with 404 to a member id that is not a number. */
export async function loader(request: LoaderArgs) {
  const { id } = request.params
  const isFound = id === undefined || /^[1-9]\d{0,8}$/.test(id)
  const loaded: PortalData = { isFound, work: await loadOpenWork(request) }
  return data(loaded, { status: isFound ? 200 : 404 })
}

export function Component() {
  const { isFound } = useLoaderData<PortalData>()
  const { tab, isOpening } = useStaffTab(TABS)
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
        <Portal tab={tab} isOpening={isOpening} />
      </StaffGate>
    </>
  )
}

function Portal({ tab, isOpening }: { tab: StaffTab; isOpening: boolean }) {
  const { work } = useLoaderData<PortalData>()
  const [banner, setBanner] = useState<RefreshResult>()
  const { refresh, isRefreshing } = useRefresh(setBanner)
  return (
    <StaffLayout
      title="Admin portal"
      tabs={TABS}
      tab={tab}
      isOpening={isOpening}
      work={work}
      actions={
        <>
          <Banner message={banner} onClose={() => setBanner(undefined)} />
          <Button aria-disabled={isRefreshing} onClick={isRefreshing ? undefined : refresh}>
            <RefreshCw aria-hidden className={`size-4 ${isRefreshing ? 'motion-safe:animate-spin' : ''}`} />
            Refresh Data
          </Button>
        </>
      }
    />
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
