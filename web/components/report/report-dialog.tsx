import { useState } from 'react'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { REASON_LABELS, type ReportReason } from '#web/components/report-reasons.ts'
import { useAction } from '#web/components/use-action.ts'
import type { Subject } from './subject.ts'

/** Tells the moderators what is wrong with a thing. */
export function ReportDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const api = useApi()
  const deed = useAction()
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [text, setText] = useState('')
  // 'Something else' says nothing by itself.
  const isTextRequired = reason === 'other'

  const report = async () => {
    if (reason === '') return
    const body = {
      subject_type: subject.type,
      subject_id: subject.id,
      reason,
      ...(text.trim() ? { text: text.trim() } : {}),
    }
    await deed(() => api('POST /api/reports', { body }), {
      success: ({ message }) => message,
      failure: 'Failed to send the report',
    })
  }
  return (
    <FormDialog
      title={`Report this ${subject.type}`}
      submitLabel="Send report"
      busyLabel="Sending..."
      canSubmit={reason !== '' && (!isTextRequired || text.trim() !== '')}
      onSubmit={report}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="wrap-anywhere text-muted">
            <bdi className="text-text">{subject.title}</bdi>: moderators see what you write, its author does not see who
            you are.
          </p>
          <ChoiceField
            name="reason"
            label="What is wrong?"
            value={reason}
            options={{ '': 'Choose a reason...', ...REASON_LABELS }}
            onChange={setReason}
          />
          <Field
            name="text"
            label="Details"
            help="What should a moderator know?"
            error={errors['text']}
            isRequired={isTextRequired}
          >
            {(aria) => <TextArea {...aria} value={text} maxLength={MAX_REASON_LENGTH} onChange={setText} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
