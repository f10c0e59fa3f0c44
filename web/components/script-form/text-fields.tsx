import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { characterCount } from '#web/lib/text-bytes.ts'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldGroupProps } from './form-part.ts'

/** Title, version and description. */
export function TextFields({ values, errors, change }: FieldGroupProps) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field
          name="title"
          label="Title"
          error={errors['title']}
          isRequired
          aside={<Count text={values.title} limit={MAX_TITLE_LENGTH} />}
        >
          {(aria) => <TextInput {...aria} value={values.title} onChange={(title) => change({ title })} />}
        </Field>
        <Field name="version" label="Version" error={errors['version']}>
          {(aria) => <TextInput {...aria} value={values.version} onChange={(version) => change({ version })} />}
        </Field>
      </div>
      <Field
        name="description"
        label="Description"
        help="What it does and how to use it. Say here what the script records of its users, if anything."
        error={errors['description']}
        isRequired
        aside={<Count text={values.description} limit={MAX_DESCRIPTION_LENGTH} />}
      >
        {(aria) => (
          <TextArea {...aria} value={values.description} onChange={(description) => change({ description })} />
        )}
      </Field>
    </>
  )
}

function Count({ text, limit }: { text: string; limit: number }) {
  const length = characterCount(text.trim())
  return (
    <span className={length > limit ? 'text-danger' : undefined}>
      {fullCount(length)} / {fullCount(limit)}
    </span>
  )
}
