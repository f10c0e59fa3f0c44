import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { useAction } from '#web/components/use-action.ts'
import { CONFIRMED_VERBS, type ConfirmedAction } from './user-actions.ts'
import type { UserDialogProps } from './user-dialogs.tsx'

/** Asks before a deed that has no form. */
export function ConfirmUserAction({ action, user, onDone, onClose }: UserDialogProps & { action: ConfirmedAction }) {
  const api = useApi()
  const deed = useAction()
  const words = CONFIRMED_VERBS[action]
  const confirm = async () => {
    await deed(() => act(api, { action, user_id: user.id }), {
      success: ({ message }) => message,
      failure: `Failed to ${words}`,
    })
    onDone()
  }
  return (
    <ConfirmDialog
      title="Confirm Action"
      text={`Are you sure you want to ${words} user "${user.username}"? This action cannot be undone.`}
      confirmLabel="Confirm"
      busyLabel="Working..."
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
