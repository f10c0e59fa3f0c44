import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { MenuContext } from './menu-item.tsx'
import { trackPositionBelow, positionBelow } from './popover-position.ts'
import { itemForKey } from './item-for-key.ts'

interface Props {
  /** The menu's name, for those who do not see where it hangs. */
  label: string
  /** What the button shows, and how it looks. */
  button: ReactNode
  /** Whether what the button shows is its name too; else the menu's name is. */
  isButtonNamed?: boolean
  buttonClass: string
  /** Above the entries. */
  title?: string
  /** MenuLink and MenuAction. */
  children: ReactNode
}

/**
 * A button and its menu, by ARIA's pattern. The platform's popover brings the top layer, Escape and the press beside it,
 * so that the menu also hangs out of what scrolls or clips, a table's row or a dialog.
 */
export function Menu({ label, button, isButtonNamed, buttonClass, title, children }: Props) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const beginsAtEnd = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const items = () => [
    ...(popover.current?.querySelectorAll<HTMLElement>('[role=menuitem]:enabled, a[role=menuitem]') ?? []),
  ]
  const close = () => {
    popover.current?.hidePopover()
    opener.current?.focus()
  }

  useEffect(() => {
    if (!isOpen || !opener.current || !popover.current) return undefined
    return trackPositionBelow(popover.current, opener.current)
  }, [isOpen])

  const onBeforeToggle = (newState: string) => {
    if (newState === 'open' && popover.current && opener.current) positionBelow(popover.current, opener.current)
  }

  const onToggle = (newState: string) => {
    setOpen(newState === 'open')
    if (newState === 'open')
      items()
        .at(beginsAtEnd.current ? -1 : 0)
        ?.focus()
    beginsAtEnd.current = false
  }
  const onOpenerKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    beginsAtEnd.current = event.key === 'ArrowUp'
    if (isOpen) onToggle('open')
    else opener.current?.click()
  }
  const onMenuKey = (event: KeyboardEvent) => {
    // Tab goes on from the button.
    if (event.key === 'Tab' || event.key === 'Escape') return close()
    const next = itemForKey(items(), document.activeElement, event.key)
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
