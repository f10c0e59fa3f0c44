import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  text: ReactNode
  /** Labels of the confirm button, before and during the action. */
  confirmLabel: string
  busyLabel?: string
  tone?: 'danger' | 'primary'
  /** The dialog closes when this resolves and stays open when it rejects. Errors have to be reported by the caller. */
  onConfirm: () => unknown
  onClose: () => void
}

/** Asks for confirmation. The focus starts on Cancel. */
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
