import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface Props {
  onStay: () => void
  onKeep: () => void
  onDiscard: () => void
}

/** Asked when somebody leaves a form that has something in it. */
export function CancelDialog({ onStay, onKeep, onDiscard }: Props) {
  return (
    <Dialog role="alertdialog" title="Leave without uploading?" onClose={onStay}>
      <p className="text-muted">
        Your draft can wait in this browser until you come back to this page, or you can discard it.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="danger" onClick={onDiscard} className="max-sm:w-full sm:mr-auto">
          Discard the draft
        </Button>
        <Button onClick={onStay} className="max-sm:flex-1">
          Go on writing
        </Button>
        <Button variant="primary" onClick={onKeep} className="max-sm:flex-1">
          Keep the draft
        </Button>
      </div>
    </Dialog>
  )
}
