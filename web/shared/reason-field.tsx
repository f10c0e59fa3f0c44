import { MAX_REASON_LENGTH } from '#contract/limits.ts'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

/** The reason for a moderation decision, which the affected member reads. */
export function ReasonField({
  label = 'Reason',
  value,
  help,
  error,
  isRequired = true,
  onChange,
}: {
  label?: string
  value: string
  help?: string
  error?: string | undefined
  isRequired?: boolean
  onChange: (value: string) => void
}) {
  return (
    <Field name="reason" label={label} help={help} error={error} isRequired={isRequired}>
      {(aria) => <TextArea {...aria} value={value} maxLength={MAX_REASON_LENGTH} onChange={onChange} />}
    </Field>
  )
}
