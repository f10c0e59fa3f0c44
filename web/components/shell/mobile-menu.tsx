import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { isCurrent, navigationLinks } from './navigation-links.ts'

/** The navigation on a phone. A details element, so that it opens before and without scripts too. */
export function MobileMenu({ pathname }: { pathname: string }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  useEffect(() => (menu.current ? closeWhenLeft(menu.current) : undefined), [])
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
        </ul>
      </nav>
    </details>
  )
}

/** Escape closes and gives the focus back; a press or the focus elsewhere just closes. */
function closeWhenLeft(menu: HTMLDetailsElement): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false
  }
  const onPress = ({ target }: PointerEvent) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  }
  const stop = new AbortController()
  const { signal } = stop
  menu.addEventListener('keydown', onKey, { signal })
  menu.addEventListener('focusout', onLeave, { signal })
  document.addEventListener('pointerdown', onPress, { signal })
  return () => stop.abort()
}
