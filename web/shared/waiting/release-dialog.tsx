import { useState } from 'react'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'

interface Props {
  scriptId: number
  number: number
  version: string
  onReleased: () => void
  onClose: () => void
}

/** A moderator makes a held version current now, with a reason for the audit log. */
export function ReleaseDialog({ scriptId, number, version, onReleased, onClose }: Props) {
  const api = useApi()
  const run = useAction()
  const [reason, setReason] = useState('')
  const release = async () => {
    const body = { script_id: scriptId, number, reason: reason.trim() }
    await run(() => api('POST /api/version-release', { body }), {
      success: ({ message }) => message,
      failure: "Couldn't release the version",
    })
    onReleased()
  }
  return (
    <FormDialog
      title="Release this version?"
      submitLabel="Release"
      busyLabel="Releasing..."
      canSubmit={reason.trim() !== ''}
      onSubmit={release}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">
            Everyone gets version <bdi className="font-semibold text-text">{version}</bdi> at once, without its author's
            confirmation.
          </p>
          <ReasonField value={reason} help="For the audit log." error={errors['reason']} onChange={setReason} />
        </>
      )}
    </FormDialog>
  )
}
