import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { BAN_HOURS, readDuration } from '#web/features/admin/durations.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'
import type { UserDialogProps } from './user-dialogs.tsx'

export function BanDialog({ user, onDone, onClose }: UserDialogProps) {
  const api = useApi()
  const deed = useAction()
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof BAN_HOURS>('24')
  const ban = async () => {
    await deed(
      () =>
        act(api, {
          action: 'ban_user',
          user_id: user.id,
          reason: reason.trim(),
          duration: readDuration(hours),
        }),
      { success: 'User banned successfully', failure: 'Failed to ban user' },
    )
    onDone()
  }
  return (
    <FormDialog
      title={`Ban User: ${user.username}`}
      submitLabel="Ban User"
      busyLabel="Banning..."
      tone="danger"
      canSubmit={reason.trim() !== ''}
      onSubmit={ban}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">
            Their sessions end at once, and their profile and scripts are out of sight until the ban ends.
          </p>
          <ReasonField
            value={reason}
            help="They read it when they try to sign in."
            error={errors['reason']}
            onChange={setReason}
          />
          <ChoiceField name="duration" label="Duration" value={hours} options={BAN_HOURS} onChange={setHours} />
        </>
      )}
    </FormDialog>
  )
}
