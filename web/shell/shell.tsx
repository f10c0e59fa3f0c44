import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation } from '#web/router/router.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSessionNotices } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { useIsOnline } from '#web/ui/use-connection.ts'
import { Header } from './header.tsx'
import { useShortcuts } from './shortcuts.ts'

/** Part of the HTML, but its code is not part of the first load: React hydrates it when the code arrives. */
const Footer = import.meta.env.SSR
  ? (await import('./footer.tsx')).Footer
  : lazyComponent(async () => (await import('./footer.tsx')).Footer)
const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

export function Shell({ children }: { children: ReactNode }) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openHelp = () => setHelpOpen(true)
  useShortcuts(openHelp)
  useSessionNotices(useToast())
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-sm bg-accent-strong px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <NavigationProgress />
      <PageAnnouncer />
      <Header openHelp={openHelp} />
      <OfflineNotice />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Suspense>
        <Footer />
      </Suspense>
      {isHelpOpen && (
        <Suspense>
          <ShortcutsDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function OfflineNotice() {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="border-b border-line bg-surface-2 px-4 py-2 text-center">
          You&apos;re offline. Pages that you read before can still be opened.
        </p>
      )}
    </div>
  )
}

/** After this long, a page that loads is called slow. */
const SLOW_MS = 5000

/** A thin line while a page loads. Its animation starts late, so fast pages never show it. */
function NavigationProgress() {
  const isLoading = useNavigation().state === 'loading'
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isLoading])
  return (
    <>
      {isLoading && (
        <div aria-hidden className="animate-progress fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-accent" />
      )}
      <output>
        {isSlow && (
          <span className="fixed inset-x-0 top-0.5 z-50 mx-auto w-fit rounded-b-md bg-surface-3 px-4 py-1">
            Still loading. The connection is slow.
          </span>
        )}
      </output>
    </>
  )
}

/**
 * After a client-side navigation, announces the page's title to screen readers and moves the focus to the top. A full
 * page load does both by itself.
 */
function PageAnnouncer() {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    setAnnouncement(document.title)
    // If the new page moved the focus itself, it stays there.
    if (!document.activeElement?.closest('main')) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <output aria-live="polite" className="sr-only">
      {announcement}
    </output>
  )
}
