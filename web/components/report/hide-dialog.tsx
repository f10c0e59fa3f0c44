import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'
import type { Subject } from './subject.ts'

/** Takes a script or a review out of sight, from its page. */
export function HideDialog({
  subject,
  onDone,
  onClose,
}: {
  subject: Subject
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const deed = useAction()
  const [reason, setReason] = useState('')
  const hide = async () => {
    if (subject.type === 'profile') return
    const body = {
      action: 'hide' as const,
      subject_type: subject.type,
      subject_id: subject.id,
      reason: reason.trim(),
    }
    await deed(() => api('POST /api/moderation', { body }), {
      success: ({ message }) => message,
      failure: `Failed to hide the ${subject.type}`,
    })
    onDone()
  }
  return (
    <FormDialog
      title={`Hide this ${subject.type}`}
      submitLabel="Hide"
      busyLabel="Hiding..."
      tone="danger"
      canSubmit={reason.trim() !== ''}
      onSubmit={hide}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="wrap-anywhere text-muted">
            <bdi className="text-text">{subject.title}</bdi> goes out of sight until a moderator shows it again from the
            report queue.
          </p>
          <ReasonField
            value={reason}
            help="Its author reads it, and can appeal once."
            error={errors['reason']}
            onChange={setReason}
          />
        </>
      )}
    </FormDialog>
  )
}
