import type { ReactNode } from 'react'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { PageChange } from './page-change.tsx'
import { Progress } from './progress.tsx'
import { useSearchKey } from './use-search-key.ts'

/** Header, page and footer. */
export function Shell({ children }: { children: ReactNode }) {
  useSearchKey()
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-sm bg-accent-strong px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <Progress />
      <PageChange />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
    </>
  )
}
