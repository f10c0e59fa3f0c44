import { type MouseEvent, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { Logo } from './logo.tsx'

const loadDialog = () => import('./legal-dialog.tsx')
const LegalDialog = lazyComponent(async () => (await loadDialog()).LegalDialog)

const linkClass = 'inline-flex min-h-11 items-center rounded-sm text-muted hover:text-text sm:min-h-8'

export function Footer() {
  const { site } = useRootData()
  const [opened, setOpened] = useState<'privacy' | 'terms'>()
  return (
    <footer className="mt-16 border-t border-line bg-surface-1">
      <div className="mx-auto flex w-full max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-6">
        <p className="flex items-center gap-2 font-medium">
          <Logo className="size-6" />
          {site.name}
        </p>
        <ul className="flex flex-wrap gap-x-6 gap-y-1">
          <li>
            <Link to="/" className={linkClass}>
              Browse Scripts
            </Link>
          </li>
          <li>
            <Link to="/upload" className={linkClass}>
              Upload Script
            </Link>
          </li>
          <li>
            <a href="/discord" className={linkClass}>
              Discord Community
            </a>
          </li>
          <li>
            <LegalLink to="/privacy" label="Privacy Policy" onOpen={() => setOpened('privacy')} />
          </li>
          <li>
            <LegalLink to="/terms" label="Terms of Service" onOpen={() => setOpened('terms')} />
          </li>
        </ul>
      </div>
      {opened && (
        <Suspense>
          <LegalDialog which={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </footer>
  )
}

/** A link to the page with the text. With JavaScript it opens a dialog instead. */
function LegalLink({ to, label, onOpen }: { to: string; label: string; onOpen: () => void }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen()
  }
  return (
    <a
      href={to}
      onClick={open}
      onPointerEnter={() => void loadDialog()}
      onFocus={() => void loadDialog()}
      aria-haspopup="dialog"
      className={linkClass}
    >
      {label}
    </a>
  )
}
