import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './icon-button.tsx'

/** A modal dialog on the platform's own element: focus stays inside, Escape closes, the page behind is inert. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    // A click beside the content lands on the dialog itself: that is its backdrop.
    const closeOnBackdrop = (event: MouseEvent) => event.target === element && element?.close()
    element?.showModal()
    element?.addEventListener('click', closeOnBackdrop)
    return () => {
      element?.removeEventListener('click', closeOnBackdrop)
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className="m-auto max-h-[85dvh] w-full max-w-2xl overflow-hidden rounded-md border border-line bg-surface-1 p-0 text-text shadow-raised max-sm:mb-0 max-sm:max-w-full"
    >
      <div className="flex max-h-[85dvh] flex-col">
        <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <IconButton icon={X} label="Close" onClick={onClose} />
        </div>
        {/* Long texts scroll by keyboard too. */}
        <section tabIndex={0} aria-labelledby={titleId} className="overflow-y-auto p-5">
          {children}
        </section>
      </div>
    </dialog>
  )
}
