import { type MouseEvent, type ReactNode, Suspense, useState } from 'react'
import { atomFeed } from '#contract/feed-paths.ts'
import { Link } from '#web/router/router.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { Logo } from './logo.tsx'
import { SiteLink } from './site-link.tsx'

const loadDialog = () => import('./legal-dialog.tsx')
const LegalDialog = lazyComponent(async () => (await loadDialog()).LegalDialog)

const preload = () => void loadDialog().catch(() => undefined)

const linkClass = 'inline-flex min-h-11 items-center rounded-sm text-muted hover:text-text sm:min-h-8'

const GROUPS: Record<string, Record<string, string>> = {
  Explore: { 'Browse Scripts': '/', Popular: '/popular', Showcases: '/showcases', Giveaways: '/giveaways' },
  Members: {
    'Upload Script': '/upload',
    'Your scripts': '/profile/me?tab=scripts',
    Statistics: '/dashboard',
    Favorites: '/favorites',
    Appeals: '/appeals',
  },
  Developers: { API: '/api/docs' },
}

export function Footer() {
  const { site } = useRootData()
  const [opened, setOpened] = useState<'privacy' | 'terms'>()
  return (
    <footer className="mt-16 border-t border-line bg-surface-1">
      <div className="mx-auto grid w-full max-w-7xl grid-cols-2 gap-x-8 gap-y-6 px-4 py-8 md:grid-cols-5">
        <p className="flex items-center gap-2 self-start font-medium max-md:col-span-2">
          <Logo className="size-6" />
          <span className="min-w-0 wrap-anywhere">{site.name}</span>
        </p>
        {Object.entries(GROUPS).map(([title, links]) => (
          <Group key={title} title={title}>
            {Object.entries(links).map(([label, to]) => (
              <li key={to}>
                <Link to={to} className={linkClass}>
                  {label}
                </Link>
              </li>
            ))}
            {title === 'Developers' && (
              <li>
                <a href={atomFeed('scripts')} type="application/atom+xml" className={linkClass}>
                  Feed of new scripts
                </a>
              </li>
            )}
          </Group>
        ))}
        <Group title="About">
          <li>
            <a href="/discord" className={linkClass}>
              Discord Community
            </a>
          </li>
          <li>
            <Link to="/behavior" className={linkClass}>
              How we check scripts
            </Link>
          </li>
          {site.links.map((link) => (
            <li key={`${link.label} ${link.url}`}>
              <SiteLink link={link} className={linkClass}>
                {link.label}
              </SiteLink>
            </li>
          ))}
          <li>
            <Link to="/rules" className={linkClass}>
              Rules
            </Link>
          </li>
          <li>
            <LegalLink to="/privacy" label="Privacy Policy" onOpen={() => setOpened('privacy')} />
          </li>
          <li>
            <LegalLink to="/terms" label="Terms of Service" onOpen={() => setOpened('terms')} />
          </li>
        </Group>
      </div>
      {opened && (
        <Suspense>
          <LegalDialog which={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </footer>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="font-medium">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

/** A link to the page with the text. It opens a dialog instead if that can be loaded. */
function LegalLink({ to, label, onOpen }: { to: string; label: string; onOpen: () => void }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    loadDialog().then(onOpen, () => location.assign(to))
  }
  return (
    <a href={to} onClick={open} onPointerEnter={preload} onFocus={preload} aria-haspopup="dialog" className={linkClass}>
      {label}
    </a>
  )
}
