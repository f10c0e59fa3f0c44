import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useEffect, useState } from 'react'
import { LoadingSkeleton } from '#web/components/loading-skeleton.tsx'
import { ScriptSkeleton } from '#web/components/script-skeleton.tsx'
import { SessionMessages } from '#web/components/shell/session-messages.tsx'
import { Shell } from '#web/components/shell/shell.tsx'
import { Document } from './document.tsx'
import { RouteErrorPage } from '#web/features/errors/route-failure.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'

const SKELETON_AFTER_MS = 150

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <Document>
      <ToastProvider>
        <SessionMessages />
        <Shell>{children}</Shell>
      </ToastProvider>
      <ScrollRestoration />
    </Document>
  )
}

export function Root() {
  return (
    <Frame>
      <Page />
    </Frame>
  )
}

/** What is shown while a page cannot be: within the frame, so that the way out is in sight. */
export function RootError() {
  return (
    <Frame>
      <RouteErrorPage />
    </Frame>
  )
}

/** The page, or its skeleton while another page takes long to arrive. */
function Page() {
  const navigation = useNavigation()
  const { pathname } = useLocation()
  const isLeaving = navigation.state === 'loading' && navigation.location.pathname !== pathname
  const isSlow = useLater(isLeaving, SKELETON_AFTER_MS)
  // The place on the old page was remembered when the navigation began.
  useEffect(() => {
    if (isSlow) scrollTo(0, 0)
  }, [isSlow])
  if (!isSlow) return <Outlet />
  return navigation.location?.pathname.startsWith('/scripts/') ? <ScriptSkeleton /> : <LoadingSkeleton />
}

/** True once `isOn` has been true for that long. */
function useLater(isOn: boolean, ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isOn, ms])
  return isOn && isLate
}
