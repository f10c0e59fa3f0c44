import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { MUTE_HOURS, readDuration } from '#web/features/admin/durations.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'
import type { UserDialogProps } from './user-dialogs.tsx'

export function MuteDialog({ user, onDone, onClose }: UserDialogProps) {
  const api = useApi()
  const deed = useAction()
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof MUTE_HOURS>('24')
  const mute = async () => {
    await deed(
      () =>
        act(api, {
          action: 'mute_user',
          user_id: user.id,
          reason: reason.trim(),
          duration: readDuration(hours),
        }),
      { success: 'User muted successfully', failure: 'Failed to mute user' },
    )
    onDone()
  }
  return (
    <FormDialog
      title={`Mute User: ${user.username}`}
      submitLabel="Mute User"
      busyLabel="Muting..."
      tone="danger"
      canSubmit={reason.trim() !== ''}
      onSubmit={mute}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">They can look around, but not upload, edit or review until the mute ends.</p>
          <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
          <ChoiceField name="duration" label="Duration" value={hours} options={MUTE_HOURS} onChange={setHours} />
        </>
      )}
    </FormDialog>
  )
}
