import { useState } from 'react'
import { SEVERITIES } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { readDuration, WARNING_DAYS } from '#web/features/admin/durations.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'
import type { UserDialogProps } from './user-dialogs.tsx'

type Severity = (typeof SEVERITIES)[number]

const SEVERITY_LABELS = Object.fromEntries(
  SEVERITIES.map((severity) => [severity, severity.charAt(0).toUpperCase() + severity.slice(1)]),
) as Record<Severity, string>

export function WarnDialog({ user, onDone, onClose }: UserDialogProps) {
  const api = useApi()
  const deed = useAction()
  const [reason, setReason] = useState('')
  const [severity, setSeverity] = useState<Severity>('minor')
  const [days, setDays] = useState<keyof typeof WARNING_DAYS>('30')
  const warn = async () => {
    await deed(
      () =>
        act(api, {
          action: 'warn_user',
          user_id: user.id,
          reason: reason.trim(),
          severity,
          duration: readDuration(days),
        }),
      { success: 'Warning issued successfully', failure: 'Failed to warn user' },
    )
    onDone()
  }
  return (
    <FormDialog
      title={`Issue Warning: ${user.username}`}
      submitLabel="Issue Warning"
      busyLabel="Sending..."
      canSubmit={reason.trim() !== ''}
      onSubmit={warn}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ReasonField
            value={reason}
            help="They get it as a notification."
            error={errors['reason']}
            onChange={setReason}
          />
          <ChoiceField
            name="severity"
            label="Severity"
            value={severity}
            options={SEVERITY_LABELS}
            onChange={setSeverity}
          />
          <ChoiceField name="duration" label="Expires After" value={days} options={WARNING_DAYS} onChange={setDays} />
        </>
      )}
    </FormDialog>
  )
}
