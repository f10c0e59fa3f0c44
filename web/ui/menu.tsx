import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Link } from '#web/router/router.tsx'
import { trackPositionBelow, positionBelow } from './popover-position.ts'

/** Closes the menu that contains an item. */
const MenuContext = createContext<() => void>(() => {})

interface Props {
  /** The menu's accessible name. */
  label: string
  /** The button's content. */
  button: ReactNode
  /** Whether the content names the button. By default the menu's name does. */
  isButtonNamed?: boolean
  buttonClass: string
  title?: string
  /** Opens the menu when it is first rendered. */
  isInitiallyOpen?: boolean
  /** MenuLink and MenuAction elements. */
  children: ReactNode
}

/**
 * Menu button (ARIA pattern). The native popover provides the top layer, Escape and closing on an outside click, so the
 * menu is not clipped by scrolling tables or dialogs.
 */
export function Menu({ label, button, isButtonNamed, buttonClass, title, isInitiallyOpen = false, children }: Props) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const startsAtEnd = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => {
    popover.current?.hidePopover()
    opener.current?.focus()
  }, [])

  useEffect(() => {
    if (!isOpen || !opener.current || !popover.current) return undefined
    return trackPositionBelow(popover.current, opener.current)
  }, [isOpen])

  useEffect(() => {
    if (isInitiallyOpen) popover.current?.showPopover()
  }, [isInitiallyOpen])

  const onBeforeToggle = (newState: string) => {
    if (newState === 'open' && popover.current && opener.current) positionBelow(popover.current, opener.current)
  }

  const onToggle = (newState: string) => {
    setOpen(newState === 'open')
    // On a busy computer, the event comes late: an item may have the focus already.
    if (newState === 'open' && !popover.current?.contains(document.activeElement))
      itemsIn(popover.current)
        .at(startsAtEnd.current ? -1 : 0)
        ?.focus()
    startsAtEnd.current = false
  }
  const onOpenerKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    startsAtEnd.current = event.key === 'ArrowUp'
    if (isOpen) onToggle('open')
    else opener.current?.click()
  }
  const onMenuKey = (event: KeyboardEvent) => {
    // Tab continues from the button.
    if (event.key === 'Tab' || event.key === 'Escape') return close()
    const next = itemForKey(itemsIn(popover.current), document.activeElement, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={isButtonNamed ? undefined : label}
        onKeyDown={onOpenerKey}
        className={buttonClass}
      >
        {button}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        onBeforeToggle={({ newState }) => onBeforeToggle(newState)}
        onToggle={({ newState }) => onToggle(newState)}
        className="fixed inset-auto m-0 w-56 max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface-1 p-1 text-text shadow-raised"
      >
        {title && <p className="truncate px-3 py-2 text-muted">{title}</p>}
        <div role="menu" tabIndex={-1} aria-label={label} onKeyDown={onMenuKey} className="outline-none">
          <MenuContext value={close}>{children}</MenuContext>
        </div>
      </div>
    </>
  )
}

const itemsIn = (popover: HTMLElement | null) => [
  ...(popover?.querySelectorAll<HTMLElement>('button[role^=menuitem]:enabled, a[role=menuitem]') ?? []),
]

const itemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left outline-none hover:bg-surface-2 focus:bg-surface-2 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent disabled:opacity-60 sm:min-h-8'

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

/** One of several choices, of which one is current. */
export function MenuChoice({
  icon: Icon,
  isCurrent,
  onSelect,
  children,
}: Item & { isCurrent: boolean; onSelect: () => void }) {
  const close = useContext(MenuContext)
  const select = () => {
    close()
    onSelect()
  }
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isCurrent}
      tabIndex={-1}
      onClick={select}
      className={itemClass}
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />}
      {children}
      {isCurrent && <Check aria-hidden className="ml-auto size-4 shrink-0 text-accent" />}
    </button>
  )
}

export const MenuSeparator = () => <hr className="mx-1 my-1 border-line" />

/** The item that a key moves to in a menu, which wraps around. Undefined for other keys. */
export function itemForKey<T>(entries: readonly T[], current: unknown, key: string): T | undefined {
  const index = entries.findIndex((entry) => entry === current)
  switch (key) {
    case 'ArrowDown':
      return entries[(index + 1) % entries.length]
    case 'ArrowUp':
      return entries.at(index > 0 ? index - 1 : -1)
    case 'Home':
      return entries[0]
    case 'End':
      return entries.at(-1)
    default:
      return undefined
  }
}
