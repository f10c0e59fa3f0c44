import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigation,
  useRevalidator,
} from '#web/router/router.tsx'
import { useEffect, useState } from 'react'
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx'
import { ScriptSkeleton } from '#web/shared/cards/script-skeleton.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { Document } from './document.tsx'
import { RouteErrorPage } from '#web/shared/error-pages.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'

const SKELETON_AFTER_MS = 150

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <Document>
      <ToastProvider>
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

/** The shell with an error page, so that visitors can navigate away. */
export function RootError() {
  return (
    <Frame>
      <RouteErrorPage />
    </Frame>
  )
}

/** The page, or a skeleton if the next page takes long to load. */
function Page() {
  const navigation = useNavigation()
  const { state: revalidation } = useRevalidator()
  const { pathname } = useLocation()
  const layouts = useMatches().slice(1, -1)
  const next = navigation.location?.pathname
  // A layout that both pages share shows its own skeleton.
  const isInLayout = next !== undefined && layouts.some(({ pathname: path }) => `${next}/`.startsWith(`${path}/`))
  // A page that is loaded again may be at another path by then: what it shows stays, such as an open form.
  const isLeaving = next !== undefined && next !== pathname && !isInLayout && revalidation === 'idle'
  const isSlow = useDelayed(isLeaving, SKELETON_AFTER_MS)
  // The router saved the scroll position of the old page when the navigation started.
  useEffect(() => {
    if (isSlow) scrollTo(0, 0)
  }, [isSlow])
  if (!isSlow) return <Outlet />
  return next?.startsWith('/scripts/') ? <ScriptSkeleton /> : <LoadingSkeleton />
}

/** True once `isOn` has been true for `ms` milliseconds. */
function useDelayed(isOn: boolean, ms: number): boolean {
  const [isDelayed, setDelayed] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setDelayed(true), ms)
    return () => {
      clearTimeout(timer)
      setDelayed(false)
    }
  }, [isOn, ms])
  return isOn && isDelayed
}
