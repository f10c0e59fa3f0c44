import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import { pushModal } from './modal-stack.ts'

const widths = { sm: 'max-w-md', md: 'max-w-2xl', lg: 'max-w-6xl' }

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** For a question that requires an answer. */
  role?: 'alertdialog'
  size?: keyof typeof widths
  /** While true, the dialog cannot be closed. */
  isBusy?: boolean
}

/** A modal dialog. The native element traps the focus, closes on Escape and makes the page behind inert. */
export function Dialog({ title, onClose, children, role, size = 'md', isBusy = false }: Props) {
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
  useEffect(() => {
    const element = dialog.current
    // Clicks on the backdrop have the dialog itself as target.
    const closeOnBackdrop = (event: MouseEvent) => {
      if (event.target === element && !isBusy) element?.close()
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
      onCancel={(event) => isBusy && event.preventDefault()}
      onClose={onClose}
      className={`m-auto max-h-[85dvh] w-full overflow-hidden rounded-md border border-line bg-surface-1 p-0 text-text shadow-raised max-sm:mb-0 max-sm:max-w-full ${widths[size]}`}
    >
      <div className="flex max-h-[85dvh] flex-col">
        <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <IconButton icon={X} label="Close" disabled={isBusy} onClick={onClose} />
        </div>
        {/* Focusable, so that long texts scroll by keyboard. */}
        <section id={textId} tabIndex={0} aria-labelledby={titleId} className="overflow-y-auto p-5">
          {children}
        </section>
      </div>
    </dialog>
  )
}
