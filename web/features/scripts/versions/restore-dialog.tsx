import { useRevalidator } from 'react-router'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

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
  const restore = async () => {
    try {
      await api('POST /api/script-versions', { body: { script_id: script.id, number: version.number } })
    } catch (error) {
      const text = error instanceof ApiError ? error.message : ''
      toast({ title: 'The version could not be restored.', tone: 'error', ...(text ? { text } : {}) })
      throw error
    }
    toast({ title: `Version ${version.version} is the current one again.`, tone: 'success' })
    void revalidate()
  }
  return (
    <ConfirmDialog
      title="Restore this version?"
      text={
        <p>
          The code of version <bdi className="font-semibold text-text">{version.version}</bdi> becomes the current one.
          What is current now stays in the history.
        </p>
      }
      confirmLabel="Restore"
      busyLabel="Restoring..."
      tone="primary"
      onConfirm={restore}
      onClose={onClose}
    />
  )
}
