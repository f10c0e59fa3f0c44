import { useState } from 'react'
import { MAX_TAGS } from '#contract/limits.ts'
import { Field } from '#web/ui/field.tsx'
import { TagInput } from '#web/ui/tag-input.tsx'
import type { FieldGroupProps } from './form-part.ts'
import { addTags } from './tags.ts'

/** The script's tags, with a few popular ones to pick from. */
export function TagField({ values, errors, change, popular }: FieldGroupProps & { popular: readonly string[] }) {
  const [problem, setProblem] = useState<string>()
  const add = (typed: string) => {
    const { tags, rest, error } = addTags(values.tags, typed)
    setProblem(error)
    if (tags.length > values.tags.length) change({ tags })
    return rest
  }
  const remove = (tag: string) => {
    setProblem(undefined)
    change({ tags: values.tags.filter((each) => each !== tag) })
  }
  return (
    <Field
      name="tags"
      label="Tags"
      help="Press Enter after each. Tags are how people find scripts of a kind."
      error={problem ?? errors['tags']}
      aside={`${values.tags.length} / ${MAX_TAGS}`}
    >
      {(aria) => (
        <TagInput
          {...aria}
          tags={values.tags}
          suggestions={popular}
          disabled={values.tags.length >= MAX_TAGS}
          onAdd={add}
          onRemove={remove}
        />
      )}
    </Field>
  )
}
