import { useState } from 'react'
import type { OwnCase } from '#contract/reports.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ReasonField } from '#web/components/reason-field.tsx'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'

/** Says, once, why a decision is wrong. */
export function AppealDialog({ one, onDone, onClose }: { one: OwnCase; onDone: () => void; onClose: () => void }) {
  const api = useApi()
  const deed = useAction()
  const [text, setText] = useState('')
  const send = async () => {
    await deed(() => api('POST /api/appeals', { body: { case_id: one.id, text: text.trim() } }), {
      success: ({ message }) => message,
      failure: 'Failed to send the appeal',
    })
    onDone()
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
          <p className="text-muted">Another moderator looks at it. You can appeal this decision only once.</p>
          <ReasonField label="Why is the decision wrong?" value={text} error={errors['text']} onChange={setText} />
        </>
      )}
    </FormDialog>
  )
}
