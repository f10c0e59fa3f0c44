import { createContext, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { trackPositionBelow, positionBelow } from './popover-position.ts'

/** Closes the panel around what is inside. */
export const ClosePanel = createContext<() => void>(() => {})

interface Props {
  /** The button's name and what it shows. */
  label: string
  button: ReactNode
  buttonClass: string
  /** The panel's name. */
  title: string
  className?: string
  /** There while it is open. */
  children: ReactNode
}

/** A button and the panel that hangs from it: not modal, closed by Escape or a press beside it, as the platform does it. */
export function PopoverPanel({ label, button, buttonClass, title, className = '', children }: Props) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!isOpen || !opener.current || !panel.current) return undefined
    panel.current.focus({ preventScroll: true })
    return trackPositionBelow(panel.current, opener.current)
  }, [isOpen])

  const onBeforeToggle = (newState: string) => {
    if (newState === 'open' && panel.current && opener.current) positionBelow(panel.current, opener.current)
  }

  const close = useCallback(() => panel.current?.hidePopover(), [])

  return (
    <>
      <button
        ref={opener}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        className={buttonClass}
      >
        {button}
      </button>
      {/* On phones it is as wide as the screen, wherever its button stands. */}
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={title}
        tabIndex={-1}
        popover="auto"
        onBeforeToggle={({ newState }) => onBeforeToggle(newState)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        className={`fixed inset-auto m-0 overflow-hidden rounded-md border border-line bg-surface-1 p-0 text-text shadow-raised outline-none max-sm:right-2! max-sm:left-2! max-sm:w-auto ${className}`}
      >
        {isOpen && <ClosePanel value={close}>{children}</ClosePanel>}
      </div>
    </>
  )
}
