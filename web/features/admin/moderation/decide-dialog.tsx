import { useState } from 'react'
import type { ReportCase } from '#contract/reports.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { ReasonField } from '#web/components/reason-field.tsx'
import { CASE_ACTIONS, type CaseAction } from './report-words.ts'

/** Asks why before a decision. */
export function DecideDialog({
  one,
  action,
  onDecide,
  onClose,
}: {
  one: ReportCase
  action: CaseAction
  onDecide: (decision: string) => Promise<unknown>
  onClose: () => void
}) {
  const [decision, setDecision] = useState('')
  const { label, text, tone, isReasonRequired = false } = CASE_ACTIONS[action]
  return (
    <FormDialog
      title={label}
      submitLabel={label}
      busyLabel="Working..."
      tone={tone}
      canSubmit={!isReasonRequired || decision.trim() !== ''}
      onSubmit={() => onDecide(decision.trim())}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="wrap-anywhere">
            <bdi className="font-medium">{one.subject_title}</bdi>
          </p>
          <p className="text-muted">{text}</p>
          <ReasonField
            value={decision}
            isRequired={isReasonRequired}
            error={errors['decision']}
            onChange={setDecision}
          />
        </>
      )}
    </FormDialog>
  )
}
