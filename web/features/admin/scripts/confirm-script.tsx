import type { AdminScript } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useAction } from '#web/components/use-action.ts'
import { ACTION_LABELS, runScriptAction, type ScriptAction } from './script-actions.ts'

/** Asks before something is done about one script. */
export function ConfirmScript({
  script,
  deed,
  onDone,
  onClose,
}: {
  script: AdminScript
  deed: ScriptAction
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const tell = useAction()
  const words = ACTION_LABELS[deed].toLowerCase()
  const confirm = async () => {
    await tell(() => runScriptAction(api, deed, script.id), {
      success: ({ message }) => message || `Script ${words} successful`,
      failure: `Failed to ${words} script`,
    })
    onDone()
  }
  return (
    <ConfirmDialog
      title={`${ACTION_LABELS[deed]}: ${script.title}`}
      text={
        deed === 'delete'
          ? `Are you sure you want to delete "${script.title}"? This action cannot be undone.`
          : `Are you sure you want to ${words} "${script.title}"?`
      }
      confirmLabel={ACTION_LABELS[deed]}
      busyLabel="Working..."
      tone={deed === 'delete' ? 'danger' : 'primary'}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
