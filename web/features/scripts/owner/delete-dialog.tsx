import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import type { OwnerProps } from './owner-bar.tsx'

const REDIRECT_MS = 300

type Phase = 'asked' | 'deleting' | 'deleted'

/** Deleting is for good, so it is asked once more. */
export function DeleteDialog({ script, onClose }: Pick<OwnerProps, 'script'> & { onClose: () => void }) {
  const api = useApi()
  const navigate = useNavigate()
  const [phase, setPhase] = useState<Phase>('asked')
  const [failure, setFailure] = useState<string>()
  const remove = async () => {
    if (phase !== 'asked') return
    setPhase('deleting')
    setFailure(undefined)
    try {
      await api('DELETE /api/script-details', { query: { id: script.id } })
      setPhase('deleted')
      setTimeout(() => void navigate('/scripts'), REDIRECT_MS)
    } catch (error) {
      setPhase('asked')
      setFailure(error instanceof ApiError ? error.message : '')
    }
  }
  return (
    <Dialog role="alertdialog" size="sm" title="Delete this script?" isBusy={phase !== 'asked'} onClose={onClose}>
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{script.title}</bdi> goes for good, with its versions, ratings and reviews. This
        cannot be undone.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <FormAlert>
            <p>Failed to delete script.</p>
            <p className="text-text">{failure}</p>
          </FormAlert>
        </div>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        <output className="mr-auto text-muted max-sm:w-full">{says[phase]}</output>
        <Button onClick={onClose} disabled={phase !== 'asked'} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button
          variant="danger"
          aria-disabled={phase !== 'asked'}
          onClick={() => void remove()}
          className="min-w-32 max-sm:flex-1"
        >
          Delete script
        </Button>
      </div>
    </Dialog>
  )
}

const says: Record<Phase, string> = { asked: '', deleting: 'Deleting script...', deleted: 'Deleted. Redirecting...' }
