import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { useDeed } from '#web/components/use-deed.ts'
import { PLAIN_WORDS, type PlainDeed } from './user-deeds.ts'
import type { DeedProps } from './user-dialogs.tsx'

/** Asks before a deed that has no form. */
export function ConfirmDeed({ action, user, onDone, onClose }: DeedProps & { action: PlainDeed }) {
  const api = useApi()
  const deed = useDeed()
  const words = PLAIN_WORDS[action]
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
