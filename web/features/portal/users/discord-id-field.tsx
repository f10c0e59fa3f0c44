import { ApiError } from '#web/lib/api-error.ts'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

/** Includes surrounding spaces. */
const MAX_DISCORD_ID_LENGTH = 24
const DISCORD_ID = /^[1-9]\d{0,19}$/

/** Throws ApiError `invalid` if the text is not an id. */
export function parseDiscordId(text: string): string {
  const id = text.trim()
  if (DISCORD_ID.test(id)) return id
  throw new ApiError(0, 'invalid', { fields: { discord_id: 'Enter the ID. It has only digits.' } })
}

export function DiscordIdField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <Field
      name="discord_id"
      label="Discord ID"
      help="In Discord, turn on developer mode, right-click the user and choose Copy User ID."
      error={error}
      isRequired
    >
      {(aria) => (
        <TextInput {...aria} value={value} inputMode="numeric" maxLength={MAX_DISCORD_ID_LENGTH} onChange={onChange} />
      )}
    </Field>
  )
}
