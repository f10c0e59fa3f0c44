import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** Header, page and footer. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-sm bg-accent-strong px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <Progress />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
    </>
  )
}

/** A thin line while a page is on its way. */
function Progress() {
  const isLoading = useNavigation().state === 'loading'
  if (!isLoading) return null
  return <div aria-hidden className="fixed inset-x-0 top-0 z-50 h-0.5 animate-pulse bg-accent" />
}
