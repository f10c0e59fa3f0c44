import { MAX_BIO_LENGTH, MAX_DISPLAY_NAME_LENGTH, MAX_LOCATION_LENGTH, MAX_URL_LENGTH } from '#contract/limits.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { SettingsPart } from './use-settings.ts'
import { withScheme } from './with-scheme.ts'

/** What a member tells of themself. */
export function InfoFields({ form, errors, change }: SettingsPart) {
  return (
    <FormSection title="About you" text="All of it may stay empty.">
      <Field
        name="display_name"
        label="Display name"
        help="Shown instead of your username, which stays visible beside it."
        error={errors['display_name']}
      >
        {(aria) => (
          <TextInput
            {...aria}
            value={form.display_name}
            maxLength={MAX_DISPLAY_NAME_LENGTH}
            onChange={(display_name) => change({ display_name })}
          />
        )}
      </Field>
      <Field
        name="bio"
        label="Bio"
        help="Web addresses become links."
        aside={`${form.bio.length} / ${MAX_BIO_LENGTH}`}
        error={errors['bio']}
      >
        {(aria) => (
          <TextArea {...aria} value={form.bio} maxLength={MAX_BIO_LENGTH} onChange={(bio) => change({ bio })} />
        )}
      </Field>
      <Field name="location" label="Location" error={errors['location']}>
        {(aria) => (
          <TextInput
            {...aria}
            value={form.location}
            maxLength={MAX_LOCATION_LENGTH}
            onChange={(location) => change({ location })}
          />
        )}
      </Field>
      <Field name="website" label="Website" error={errors['website']}>
        {(aria) => (
          <TextInput
            {...aria}
            type="url"
            inputMode="url"
            placeholder="https://example.com"
            value={form.website}
            maxLength={MAX_URL_LENGTH}
            onChange={(website) => change({ website })}
            onBlur={() => change({ website: withScheme(form.website) })}
          />
        )}
      </Field>
    </FormSection>
  )
}
