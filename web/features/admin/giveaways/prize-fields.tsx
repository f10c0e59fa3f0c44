import { MAX_PRIZE_LENGTH } from '#contract/limits.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldsProps } from './giveaway-dialog.tsx'
import { PRIZE_LABELS } from './prize-labels.ts'

const MAX_PRIZE_DESCRIPTION = 500

/** What can be won. Keys go in here and come out for winners alone. */
export function PrizeFields({ values, errors, isDrawn, change, isNew }: FieldsProps & { isNew: boolean }) {
  const { exec_key, custom } = PRIZE_LABELS
  const { prize_type } = values
  // Older kinds stay what they are until another is chosen.
  const options: Record<string, string> = { exec_key, custom, [prize_type]: PRIZE_LABELS[prize_type] }
  const lines = values.prize_value.split('\n').filter((line) => line.trim()).length
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField<string>
          name="prize_type"
          label="Prize Type"
          value={prize_type}
          options={options}
          disabled={isDrawn}
          onChange={(type) => change({ prize_type: type as typeof prize_type })}
        />
        <Field name="prize_description" label="Prize Description" error={errors['prize_description']}>
          {(aria) => (
            <TextInput
              {...aria}
              value={values.prize_description}
              maxLength={MAX_PRIZE_DESCRIPTION}
              onChange={(prize_description) => change({ prize_description })}
            />
          )}
        </Field>
      </div>
      {prize_type === 'exec_key' && (
        <Field
          name="prize_value"
          label="Keys"
          help={
            isNew
              ? 'One key per line: the winners get a line each, sent to them privately.'
              : 'One key per line. Leave it empty to keep the keys as they are.'
          }
          aside={lines > 0 && `${lines} ${lines === 1 ? 'key' : 'keys'}`}
          error={errors['prize_value']}
        >
          {(aria) => (
            <TextArea
              {...aria}
              dir="ltr"
              value={values.prize_value}
              maxLength={MAX_PRIZE_LENGTH}
              disabled={isDrawn}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              onChange={(prize_value) => change({ prize_value })}
            />
          )}
        </Field>
      )}
    </>
  )
}
