import { Link, useLocation } from 'react-router'
import { useRootData } from '#web/lib/root-data.ts'
import { AccountSlot } from './account-slot.tsx'
import { Logo } from './logo.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { isCurrent, navigationLinks } from './navigation-links.ts'
import { ThemeSwitch } from './theme-switch.tsx'

export function Header() {
  const { site } = useRootData()
  const { pathname } = useLocation()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface-1">
      <div className="mx-auto flex h-14 w-full max-w-7xl items-center gap-2 px-4">
        <Link to="/" className="mr-2 inline-flex min-h-11 items-center gap-2 rounded-sm text-base font-semibold">
          <Logo className="size-7" />
          <span className="max-[26rem]:sr-only md:max-lg:sr-only">{site.name}</span>
        </Link>
        <nav aria-label="Main" className="hidden md:block">
          <ul className="flex lg:gap-1">
            {navigationLinks.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={isCurrent(to, pathname) ? 'page' : undefined}
                  className="inline-flex min-h-10 items-center rounded-sm px-2 text-muted hover:bg-surface-2 lg:px-3 hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeSwitch />
          <AccountSlot />
          <MobileMenu pathname={pathname} />
        </div>
      </div>
    </header>
  )
}
