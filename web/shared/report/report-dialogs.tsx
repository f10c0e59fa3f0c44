import { useState } from 'react'
import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { REASON_LABELS, type ReportReason } from '#web/shared/report-reasons.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Link } from '#web/router/router.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

/** The content that a report or a moderator's decision is about. */
export interface Subject {
  type: 'script' | 'review' | 'profile' | 'comment' | 'collection'
  id: number
  title: string
}

export function ReportDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const api = useApi()
  const run = useAction()
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [text, setText] = useState('')
  const isTextRequired = reason === 'other'

  const report = async () => {
    if (reason === '') return
    const body = {
      subject_type: subject.type,
      subject_id: subject.id,
      reason,
      ...(text.trim() ? { text: text.trim() } : {}),
    }
    await run(() => api('POST /api/reports', { body }), {
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
            You're reporting <bdi className="text-text">{subject.title}</bdi>. Only moderators see this report, and the
            author won't know who sent it.
          </p>
          <ChoiceField
            name="reason"
            label="What is wrong?"
            value={reason}
            options={{ '': 'Choose a reason...', ...REASON_LABELS }}
            help={
              <Link to="/rules" target="_blank" className="text-accent underline">
                Read the rules
                <span className="sr-only"> (opens a new tab)</span>
              </Link>
            }
            onChange={setReason}
          />
          <Field
            name="text"
            label="Details"
            help="Anything else we should know?"
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

/** Hides content as a moderator, without a report. */
export function HideDialog({
  subject,
  onHidden,
  onClose,
}: {
  subject: Subject
  onHidden: () => void
  onClose: () => void
}) {
  const api = useApi()
  const run = useAction()
  const [reason, setReason] = useState('')
  const hide = async () => {
    if (subject.type === 'profile') return
    const body = {
      action: 'hide' as const,
      subject_type: subject.type,
      subject_id: subject.id,
      reason: reason.trim(),
    }
    await run(() => api('POST /api/moderation', { body }), {
      success: ({ message }) => message,
      failure: `Failed to hide the ${subject.type}`,
    })
    onHidden()
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
            Hides <bdi className="text-text">{subject.title}</bdi> until a moderator shows it again from the report
            queue.
          </p>
          <ReasonField
            value={reason}
            help="The author will see this and can appeal once."
            error={errors['reason']}
            onChange={setReason}
          />
        </>
      )}
    </FormDialog>
  )
}
