import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldsProps } from './giveaway-dialog.tsx'

export function TextFields({ values, errors, change }: FieldsProps) {
  return (
    <>
      <Field name="title" label="Title" error={errors['title']} isRequired>
        {(aria) => (
          <TextInput
            {...aria}
            value={values.title}
            maxLength={MAX_TITLE_LENGTH}
            onChange={(title) => change({ title })}
          />
        )}
      </Field>
      <Field name="description" label="Description" error={errors['description']}>
        {(aria) => (
          <TextArea
            {...aria}
            value={values.description}
            maxLength={MAX_DESCRIPTION_LENGTH}
            onChange={(description) => change({ description })}
          />
        )}
      </Field>
    </>
  )
}
