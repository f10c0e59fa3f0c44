import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '../../../lib/api-context.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormAlert } from '../../../ui/form-alert.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { ScriptDetails } from '../load-script.ts'

interface Props {
  script: ScriptDetails['script']
  version: ScriptVersion
  onClose: () => void
}

/** Restoring adds a version; the one that is replaced stays in the history. */
export function RestoreDialog({ script, version, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const restore = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await api('POST /api/script-versions', { body: { script_id: script.id, number: version.number } })
      toast({ title: `Version ${version.version} is the current one again.`, tone: 'success' })
      onClose()
      await revalidate()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog role="alertdialog" size="sm" title="Restore this version?" isBusy={isBusy} onClose={onClose}>
      <p className="wrap-anywhere">
        The code of version <bdi className="font-semibold">{version.version}</bdi> becomes the current one. What is
        current now stays in the history.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <FormAlert>The version could not be restored. {failure}</FormAlert>
        </div>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose} className="max-sm:flex-1">
          Cancel
        </Button>
        <Button
          variant="primary"
          aria-disabled={isBusy}
          onClick={() => void restore()}
          className="min-w-32 max-sm:flex-1"
        >
          {isBusy ? 'Restoring...' : 'Restore'}
        </Button>
      </div>
    </Dialog>
  )
}
