import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from 'react-router'

/** Closes the menu around an entry. */
export const MenuContext = createContext<() => void>(() => {})

const itemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left outline-none hover:bg-surface-2 focus:bg-surface-2 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent disabled:opacity-60 sm:min-h-9'

interface Item {
  icon?: LucideIcon
  children: ReactNode
}

export function MenuLink({ to, icon: Icon, children }: Item & { to: string }) {
  const close = useContext(MenuContext)
  return (
    <Link to={to} role="menuitem" tabIndex={-1} onClick={close} className={itemClass}>
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      {children}
    </Link>
  )
}

export function MenuAction({
  icon: Icon,
  onSelect,
  tone,
  disabled = false,
  children,
}: Item & { onSelect: () => void; tone?: 'danger'; disabled?: boolean }) {
  const close = useContext(MenuContext)
  const select = () => {
    close()
    onSelect()
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={select}
      className={`${itemClass} ${tone === 'danger' ? 'text-danger' : ''}`}
    >
      {Icon && <Icon aria-hidden className={`size-4 shrink-0 ${tone === 'danger' ? '' : 'text-muted'}`} />}
      {children}
    </button>
  )
}
