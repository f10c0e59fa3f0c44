import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import { pushModal } from './modal-stack.ts'

const widths = { sm: 'max-w-md', md: 'max-w-2xl', lg: 'max-w-4xl', xl: 'max-w-6xl' }

const heights = {
  content: 'max-h-[85dvh] max-sm:mb-0',
  sheet: 'max-h-[85dvh] max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none max-sm:border-0',
}

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** For a question that requires an answer. */
  role?: 'alertdialog'
  size?: keyof typeof widths
  /** A sheet fills the screen of a phone. */
  height?: keyof typeof heights
  /** Whether `onClose` only asks the parent to remove the dialog, which may keep it open. */
  isControlled?: boolean
  /** While true, the dialog cannot be closed. */
  isBusy?: boolean
}

/** A modal dialog. The native element traps the focus, closes on Escape and makes the page behind inert. */
export function Dialog({
  title,
  onClose,
  children,
  role,
  size = 'md',
  height = 'content',
  isControlled = false,
  isBusy = false,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()
  // A layout effect runs before the element is removed, so that toasts can move out of it.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return undefined
    element.showModal()
    const leave = pushModal(element)
    return () => {
      leave()
      element.close()
    }
  }, [])
  const close = useEffectEvent(() => (isControlled ? onClose() : dialog.current?.close()))
  useEffect(() => {
    const element = dialog.current
    // Clicks on the backdrop have the dialog itself as target.
    const closeOnBackdrop = (event: MouseEvent) => {
      if (event.target === element && !isBusy) close()
    }
    element?.addEventListener('click', closeOnBackdrop)
    return () => element?.removeEventListener('click', closeOnBackdrop)
  }, [isBusy])
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={role ? textId : undefined}
      onKeyDown={isControlled ? (event) => onEscape(event, () => !isBusy && onClose()) : undefined}
      onCancel={(event) => {
        // File inputs have an event of this name, too.
        if (event.target !== event.currentTarget || !(isBusy || isControlled)) return
        event.preventDefault()
        if (!isBusy) onClose()
      }}
      onClose={({ target, currentTarget }) => {
        // React also reports a dialog inside this one, and this one after the parent has removed it.
        if (target !== currentTarget || !currentTarget.isConnected) return
        // Some browsers close it whatever the page answers.
        if (isControlled) currentTarget.showModal()
        onClose()
      }}
      className={`m-auto w-full overflow-hidden rounded-md border border-line bg-surface-1 p-0 text-text shadow-raised short:overflow-y-auto max-sm:max-w-full ${heights[height]} ${widths[size]}`}
    >
      <div className="flex max-h-[inherit] flex-col max-sm:h-full short:block short:h-auto">
        <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <IconButton icon={X} label="Close" disabled={isBusy} onClick={onClose} />
        </div>
        {/* Focusable, so that long texts scroll by keyboard. */}
        <section id={textId} tabIndex={0} aria-labelledby={titleId} className="flex-1 overflow-y-auto p-5">
          {children}
        </section>
      </div>
    </dialog>
  )
}

/**
 * Handles Escape before the browser does, which closes a dialog at the second Escape, whatever the page answers. The code
 * editor has its own Escape, which lets Tab leave it.
 */
function onEscape(event: KeyboardEvent<HTMLDialogElement>, close: () => void): void {
  const { target, currentTarget, key, defaultPrevented } = event
  const isInside = target instanceof Element && target.closest('dialog') === currentTarget
  if (key !== 'Escape' || defaultPrevented || !isInside) return
  event.preventDefault()
  if (!target.closest('[data-shadow]')) close()
}
