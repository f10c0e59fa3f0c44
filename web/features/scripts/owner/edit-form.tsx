import { useRef } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { MAX_CHANGELOG_LENGTH } from '#contract/limits.ts'
import type { Script } from '#contract/scripts.ts'
import { CodeField } from '#web/components/script-form/code-field.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { ImageField } from '#web/components/script-form/image-field.tsx'
import { KeyFields } from '#web/components/script-form/key-fields.tsx'
import { PropertyFields } from '#web/components/script-form/property-fields.tsx'
import { TagField } from '#web/components/script-form/tag-field.tsx'
import { TextFields } from '#web/components/script-form/text-fields.tsx'
import { usePopularTags } from '#web/components/script-form/use-popular-tags.ts'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { coverTexts } from './cover-button.tsx'
import { EditFoot } from './edit-foot.tsx'
import type { Edited } from './open-edit.ts'
import type { OwnerProps } from './owner-bar.tsx'
import { useEdit } from './use-edit.ts'

const POPULAR_TAGS = 5
const CLOSE_MS = 500

const addressOf = ({ slug }: Pick<Script, 'slug'>) => `/scripts/${encodeURIComponent(slug)}`

type Props = Pick<OwnerProps, 'script'> & { opened: Edited; place: DraftSlot; onClose: () => void }

export function EditForm({ script, opened, place, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const popular = usePopularTags(POPULAR_TAGS)
  const finish = (saved: Script) => {
    setTimeout(() => {
      if (form.current) onClose()
      // Whoever went on to another page is left there. The address follows the title.
      if (location.pathname !== addressOf(script)) return
      if (saved.slug === script.slug) void revalidate()
      else void navigate(addressOf(saved), { replace: true })
    }, CLOSE_MS)
  }
  const edit = useEdit({
    place,
    script,
    opened,
    onSaved: finish,
    onWrong: (errors) =>
      requestAnimationFrame(() => form.current && focusFirstError(form.current, Object.keys(errors))),
  })
  const { values, errors, change, conflict } = edit
  const part = { values, errors, change }
  return (
    <form
      ref={form}
      noValidate
      aria-label="Edit script"
      onSubmit={(event) => {
        event.preventDefault()
        void edit.save()
      }}
      className="flex min-w-0 flex-col gap-5"
    >
      {edit.isRestored && !conflict && (
        <p role="status" className="rounded-md border border-line bg-accent-soft p-3">
          Your unsaved changes of earlier were restored.
        </p>
      )}
      {conflict && <ConflictPanel conflict={conflict} onChoose={edit.choose} />}
      <TextFields {...part} />
      <ImageField
        label="Cover"
        texts={coverTexts}
        image={values.image}
        errors={errors}
        onChange={(image) => change({ image })}
        onRefuse={(image) => edit.setErrors((all) => ({ ...all, image }))}
      />
      <TagField {...part} popular={popular} />
      <PropertyFields {...part} />
      <KeyFields {...part} />
      <CodeField
        code={values.script_content}
        error={errors['script_content']}
        onChange={(script_content) => change({ script_content })}
      />
      <Field
        name="changelog"
        label="What changed"
        help={
          edit.isNewVersion
            ? 'One line for the version history. It may stay empty.'
            : 'Kept with a new version: when the code or the version number changes.'
        }
        error={errors['changelog']}
        aside={`${edit.changelog.length} / ${MAX_CHANGELOG_LENGTH}`}
      >
        {(aria) => <TextInput {...aria} value={edit.changelog} onChange={edit.setChangelog} />}
      </Field>
      <EditFoot edit={edit} onClose={onClose} />
    </form>
  )
}
