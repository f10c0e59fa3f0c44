import { Field } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldGroupProps } from './form-part.ts'

/** Whether a key is needed, and where to get it. */
export function KeyFields({ values, errors, change }: FieldGroupProps) {
  return (
    <>
      <Switch
        label="Key system"
        help="The script asks its users for a key before it runs."
        isOn={values.has_key_system}
        onChange={(has_key_system) => change({ has_key_system })}
      />
      {values.has_key_system && (
        <Field
          name="key_system_url"
          label="Key system address"
          help="Where people get their key."
          error={errors['key_system_url']}
        >
          {(aria) => (
            <TextInput
              {...aria}
              type="url"
              dir="ltr"
              placeholder="https://"
              value={values.key_system_url}
              onChange={(key_system_url) => change({ key_system_url })}
            />
          )}
        </Field>
      )}
    </>
  )
}
