import { Button, LinkButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** An earlier try arrived although its answer was lost, and the draft was changed since. */
export function KeyUsedDialog({ onAnother, onClose }: { onAnother: () => Promise<void>; onClose: () => void }) {
  return (
    <Dialog role="alertdialog" size="sm" title="This draft was published already" onClose={onClose}>
      <p className="text-muted">
        An earlier try did arrive, with the text as it was then. You can edit that script on its page, or publish what
        stands here as another script.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={() => void onAnother()} className="max-sm:w-full">
          Publish as another script
        </Button>
        <LinkButton to="/profile/me" variant="primary" className="max-sm:w-full">
          See my scripts
        </LinkButton>
      </div>
    </Dialog>
  )
}
