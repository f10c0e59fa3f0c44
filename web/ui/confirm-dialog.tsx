import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  text: ReactNode
  /** What the button that does it says, and what it says meanwhile. */
  confirmLabel: string
  busyLabel?: string
  tone?: 'danger' | 'primary'
  /** Does it. The dialog closes when it has come about; it stays when this rejects, which has told why by then. */
  onConfirm: () => unknown
  onClose: () => void
}

/** Asks before something that cannot be taken back. The keyboard begins at the harmless answer. */
export function ConfirmDialog({ title, text, confirmLabel, busyLabel, tone = 'danger', onConfirm, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => cancel.current?.focus(), [])
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch {
      setBusy(false)
    }
  }
  return (
    <Dialog role="alertdialog" size="sm" title={title} isBusy={isBusy} onClose={onClose}>
      <div className="wrap-anywhere text-muted">{text}</div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button ref={cancel} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button variant={tone} disabled={isBusy} aria-busy={isBusy} onClick={() => void confirm()}>
          {isBusy && busyLabel ? busyLabel : confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
