import { createContext, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { trackPositionBelow, positionBelow } from './popover-position.ts'

/** Closes the panel that contains a component. */
export const ClosePanel = createContext<() => void>(() => {})

interface Props {
  /** The button's accessible name. */
  label: string
  button: ReactNode
  buttonClass: string
  /** The panel's accessible name. */
  title: string
  className?: string
  /** Rendered while the panel is open. */
  children: ReactNode
}

/** A button with a non-modal panel. The native popover closes it on Escape and on an outside click. */
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
      {/* On phones the panel is as wide as the screen. */}
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
