import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { FormDialog } from './form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { useAction } from './use-action.ts'

export function AppealDialog({
  caseId,
  onAppealed,
  onClose,
}: {
  caseId: number
  onAppealed: () => void
  onClose: () => void
}) {
  const api = useApi()
  const run = useAction()
  const [text, setText] = useState('')
  const send = async () => {
    await run(() => api('POST /api/appeals', { body: { case_id: caseId, text: text.trim() } }), {
      success: ({ message }) => message,
      failure: 'Failed to send the appeal',
    })
    onAppealed()
  }
  return (
    <FormDialog
      title="Appeal this decision"
      submitLabel="Send appeal"
      busyLabel="Sending..."
      canSubmit={text.trim() !== ''}
      onSubmit={send}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">A different moderator will review it. You can appeal each decision once.</p>
          <ReasonField label="Why is the decision wrong?" value={text} error={errors['text']} onChange={setText} />
        </>
      )}
    </FormDialog>
  )
}
