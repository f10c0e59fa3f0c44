import RefreshCw from 'lucide-react/icons/refresh-cw'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Banner, type BannerMessage } from './banner.tsx'
import { describeActionError } from '#web/lib/describe-error.ts'
import { type PortalPlace, TAB_LABELS, tabAddress, type TabName, TABS } from './portal-tabs.ts'
import { createRefresher, RefresherContext } from './refresher.ts'
import { TabSkeleton } from './tab-skeleton.tsx'

const tabs = TABS.map((id) => ({ id, label: TAB_LABELS[id], to: tabAddress(id) }))

const lazyTab = (load: () => Promise<{ Tab: ComponentType }>) => lazy(async () => ({ default: (await load()).Tab }))
const contents: Record<TabName, ComponentType> = {
  dashboard: lazyTab(() => import('#web/features/admin/dashboard/dashboard-tab.tsx')),
  users: lazyTab(() => import('#web/features/admin/users/users-tab.tsx')),
  scripts: lazyTab(() => import('#web/features/admin/scripts/scripts-tab.tsx')),
  showcases: lazyTab(() => import('#web/features/admin/showcases/showcases-tab.tsx')),
  giveaways: lazyTab(() => import('#web/features/admin/giveaways/giveaways-tab.tsx')),
  moderation: lazyTab(() => import('#web/features/admin/moderation/moderation-tab.tsx')),
  notifications: lazyTab(() => import('#web/features/admin/notifications/notifications-tab.tsx')),
}
const MemberView: ComponentType<{ id: number }> = lazy(async () => ({
  default: (await import('#web/features/admin/member/member-view.tsx')).MemberView,
}))

/** The frame of all tabs: what they are, and the way to load everything anew. */
export function Portal({ place }: { place: PortalPlace }) {
  const [refresher] = useState(createRefresher)
  useEffect(() => refresher.start(), [refresher])
  const [banner, setBanner] = useState<BannerMessage>()
  const Content = contents[place.tab]
  return (
    <RefresherContext value={refresher}>
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-3 px-4 pt-6 pb-24">
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="mr-auto text-2xl font-semibold">Admin portal</h1>
          <Banner message={banner} onGone={() => setBanner(undefined)} />
          <RefreshButton refresh={() => refresher.refresh(true)} onDone={setBanner} />
        </header>
        <Strip current={place.tab}>
          <h2 className="sr-only">{TAB_LABELS[place.tab]}</h2>
          <Suspense key={`${place.tab} ${place.memberId ?? ''}`} fallback={<TabSkeleton />}>
            {place.memberId === undefined ? <Content /> : <MemberView id={place.memberId} />}
          </Suspense>
        </Strip>
      </div>
    </RefresherContext>
  )
}

/** Seven tabs do not fit on a phone: they scroll sideways there, the current one into sight. */
function Strip({ current, children }: { current: TabName; children: React.ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current
      ?.querySelector(`[role=tab][id$='-${current}']`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <div
      ref={place}
      className="min-w-0 [&>[role=tablist]]:scrollbar-none [&>[role=tablist]]:overflow-x-auto [&>[role=tablist]]:overflow-y-hidden [&>[role=tablist]>*]:shrink-0 [&>[role=tablist]>*]:whitespace-nowrap [&>[role=tablist]>*:focus-visible]:-outline-offset-2 [&>[role=tabpanel]]:pt-4"
    >
      <LinkTabs label="Admin portal" tabs={tabs} current={current}>
        {children}
      </LinkTabs>
    </div>
  )
}

function RefreshButton({
  refresh,
  onDone,
}: {
  refresh: () => Promise<unknown>
  onDone: (message: BannerMessage) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    const failure = await refresh()
    onDone(
      failure === undefined
        ? { tone: 'success', text: 'Data refreshed successfully' }
        : { tone: 'error', text: `Failed to fetch data: ${describeActionError(failure)}` },
    )
    setBusy(false)
  }
  return (
    <Button aria-disabled={isBusy} onClick={() => void (isBusy ? undefined : press())}>
      <RefreshCw aria-hidden className={`size-4 ${isBusy ? 'motion-safe:animate-spin' : ''}`} />
      Refresh Data
    </Button>
  )
}
