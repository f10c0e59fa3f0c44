import type { AdminScript } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeed } from '#web/components/use-deed.ts'
import { DEED_LABELS, doTo, type ScriptDeed } from './script-deeds.ts'

/** Asks before something is done about one script. */
export function ConfirmScript({
  script,
  deed,
  onDone,
  onClose,
}: {
  script: AdminScript
  deed: ScriptDeed
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const tell = useDeed()
  const words = DEED_LABELS[deed].toLowerCase()
  const confirm = async () => {
    await tell(() => doTo(api, deed, script.id), {
      success: ({ message }) => message || `Script ${words} successful`,
      failure: `Failed to ${words} script`,
    })
    onDone()
  }
  return (
    <ConfirmDialog
      title={`${DEED_LABELS[deed]}: ${script.title}`}
      text={
        deed === 'delete'
          ? `Are you sure you want to delete "${script.title}"? This action cannot be undone.`
          : `Are you sure you want to ${words} "${script.title}"?`
      }
      confirmLabel={DEED_LABELS[deed]}
      busyLabel="Working..."
      tone={deed === 'delete' ? 'danger' : 'primary'}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
