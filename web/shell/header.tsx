import LinkIcon from 'lucide-react/icons/link'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigation } from '#web/router/router.tsx'
import type { SiteLink as Target } from '#contract/site.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { AccountSlot } from './account-slot.tsx'
import { HeaderSearch } from './header-search.tsx'
import { Logo } from './logo.tsx'
import { navigationLinks } from './navigation-links.ts'
import { SiteLink } from './site-link.tsx'
import { ThemeSlot } from './theme-slot.tsx'

/** Whether a link is marked as current. The front page lists scripts, so its link is also current on script pages. */
function isCurrent(to: string, pathname: string): boolean {
  if (to === '/') return pathname === '/' || pathname.startsWith('/scripts')
  return pathname === to || pathname.startsWith(`${to}/`)
}

/** Whether a page begins with a search field of its own. */
const hasOwnSearch = (pathname: string): boolean => /^\/(?:(?:scripts|popular)\/?)?$/.test(pathname)

export function Header({ openHelp }: { openHelp: () => void }) {
  const { site } = useRootData()
  const links = site.links.filter(({ in_header }) => in_header)
  const { pathname: shown } = useLocation()
  // Marks the page that is being opened, not the one that is left.
  const pathname = useNavigation().location?.pathname ?? shown
  return (
    // Invisible until all of it is parsed, because its right part would move: then the document goes on after it.
    <header className="sticky top-0 z-30 border-b short:relative border-line bg-surface-1 not-has-[+_*]:invisible">
      <div className="mx-auto relative flex h-14 w-full max-w-7xl items-center gap-2 px-3 sm:px-4">
        <Link
          to="/"
          className="mr-2 inline-flex shrink-0 min-h-11 items-center gap-2 rounded-sm text-base font-semibold"
        >
          <Logo className="size-7" />
          <span className="max-[30rem]:sr-only md:max-xl:sr-only">{site.name}</span>
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
            {links.map((link) => (
              <li key={`${link.label} ${link.url}`} className="hidden xl:block">
                <SiteLink
                  link={link}
                  className="inline-flex min-h-10 items-center rounded-sm px-3 text-muted hover:bg-surface-2 hover:text-text"
                >
                  {link.label}
                </SiteLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex min-w-0 items-center justify-end gap-1 max-sm:gap-0 lg:flex-1">
          <HeaderSearch isCompact={hasOwnSearch(shown)} openHelp={openHelp} />
          <ThemeSlot />
          <AccountSlot />
          <MobileMenu pathname={pathname} links={links} />
        </div>
      </div>
    </header>
  )
}

/** A details element, so that it works before and without JavaScript. */
function MobileMenu({ pathname, links }: { pathname: string; links: readonly Target[] }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  useEffect(() => (menu.current ? closeOnLeave(menu.current) : undefined), [])
  return (
    <details ref={menu} className="group md:hidden">
      <summary aria-label="Menu" className={`${iconButtonClass} list-none [&::-webkit-details-marker]:hidden`}>
        <Menu aria-hidden className="size-5 group-open:hidden" />
        <X aria-hidden className="hidden size-5 group-open:block" />
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-full border-b border-line bg-surface-1 p-2 shadow-raised"
      >
        <ul>
          {navigationLinks.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                onClick={close}
                aria-current={isCurrent(to, pathname) ? 'page' : undefined}
                className="flex min-h-12 items-center gap-3 rounded-sm px-3 text-base hover:bg-surface-2 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
              >
                <Icon aria-hidden className="size-5" />
                {label}
              </Link>
            </li>
          ))}
          {links.map((link) => (
            <li key={`${link.label} ${link.url}`}>
              <SiteLink
                link={link}
                onClick={close}
                className="flex min-h-12 items-center gap-3 rounded-sm px-3 text-base hover:bg-surface-2"
              >
                <LinkIcon aria-hidden className="size-5" />
                {link.label}
              </SiteLink>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  )
}

/** Escape closes the menu and returns the focus to it; a click or focus outside only closes it. */
function closeOnLeave(menu: HTMLDetailsElement): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false
  }
  const onPointerDown = ({ target }: PointerEvent) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  }
  const stop = new AbortController()
  const { signal } = stop
  menu.addEventListener('keydown', onKey, { signal })
  menu.addEventListener('focusout', onFocusOut, { signal })
  document.addEventListener('pointerdown', onPointerDown, { signal })
  return () => stop.abort()
}
