import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from '#web/router/router.tsx'
import { MAX_CHANGELOG_LENGTH } from '#contract/limits.ts'
import type { Script } from '#contract/scripts.ts'
import { CodeField } from '#web/components/script-form/code-field.tsx'
import {
  ImageField,
  KeyFields,
  PropertyFields,
  TagField,
  TextFields,
} from '#web/components/script-form/script-fields.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { acquireDraftSlot, type DraftSlot } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { type EditState, openEdit, type Phase, useEdit } from './use-edit.ts'

const POPULAR_TAGS = 5
const CLOSE_DELAY_MS = 500

export const coverMessages = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image too large. Please use an image under ~3MB.',
}

interface Props {
  script: Pick<Script, 'id' | 'slug'>
  memberId: number
  onClose: () => void
}

/** Edits everything that the author can change about a script. */
export function EditDialog(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return (
    <Dialog title="Edit script" onClose={props.onClose}>
      <EditLoader key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
    </Dialog>
  )
}

function EditLoader({ script, memberId, onClose, onRetry }: Props & { onRetry: () => void }) {
  const api = useApi()
  const [loaded, setLoaded] = useState<{ edit: EditState; slot: DraftSlot } | { failure: string }>()
  const { id, slug } = script
  useEffect(() => {
    let isUnmounted = false
    const load = async () => {
      const slot = await acquireDraftSlot(`edit:${memberId}:${id}`)
      try {
        const edit = await openEdit(api, slot, slug)
        // The form releases the slot.
        if (!isUnmounted) return setLoaded({ edit, slot })
      } catch (error) {
        if (!isUnmounted) setLoaded({ failure: error instanceof ApiError ? error.message : '' })
      }
      slot.release()
    }
    void load()
    return () => {
      isUnmounted = true
    }
  }, [api, memberId, id, slug])
  if (!loaded) return <EditSkeleton />
  if ('slot' in loaded) {
    return <EditForm script={script} initial={loaded.edit} slot={loaded.slot} onClose={onClose} />
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <FormAlert>Couldn't load the script. {loaded.failure}</FormAlert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function EditSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-16" />
      <Skeleton className="h-36" />
      <Skeleton className="h-40" />
      <Skeleton className="h-24" />
    </div>
  )
}

const pathOf = ({ slug }: Pick<Script, 'slug'>) => `/scripts/${encodeURIComponent(slug)}`

type FormProps = Pick<Props, 'script' | 'onClose'> & { initial: EditState; slot: DraftSlot }

function EditForm({ script, initial, slot, onClose }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const finish = (saved: Script) => {
    setTimeout(() => {
      if (form.current) onClose()
      // Stays on the current page if the author has navigated away. The path changes with the title.
      if (location.pathname !== pathOf(script)) return
      if (saved.slug === script.slug) void revalidate()
      else void navigate(pathOf(saved), { replace: true })
    }, CLOSE_DELAY_MS)
  }
  const edit = useEdit({
    slot,
    script,
    initial,
    onSaved: finish,
    onErrors: (errors) =>
      requestAnimationFrame(() => form.current && focusFirstError(form.current, Object.keys(errors))),
  })
  const { values, errors, change, conflict } = edit
  const fields = { values, errors, change }
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
          We restored your unsaved changes.
        </p>
      )}
      {conflict && <ConflictPanel conflict={conflict} onChoose={edit.choose} />}
      <TextFields {...fields} />
      <ImageField
        label="Cover"
        messages={coverMessages}
        image={values.image}
        errors={errors}
        onChange={(image) => change({ image })}
        onError={(image) => edit.setErrors((all) => ({ ...all, image }))}
      />
      <TagField {...fields} popularCount={POPULAR_TAGS} />
      <PropertyFields {...fields} />
      <KeyFields {...fields} />
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
            ? 'One line for the version history (optional).'
            : 'Saved when the code or version number changes.'
        }
        error={errors['changelog']}
        aside={`${edit.changelog.length} / ${MAX_CHANGELOG_LENGTH}`}
      >
        {(aria) => <TextInput {...aria} value={edit.changelog} onChange={edit.setChangelog} />}
      </Field>
      <EditFooter edit={edit} onClose={onClose} />
    </form>
  )
}

const statusTexts: Record<Phase, string> = {
  idle: '',
  saving: 'Saving changes...',
  saved: 'Changes saved.',
  failed: '',
}

/** Save status and buttons, sticky at the end of the form. */
function EditFooter({ edit, onClose }: { edit: ReturnType<typeof useEdit>; onClose: () => void }) {
  const { phase, isChanged, hasOpenChoices } = edit
  const isBusy = phase === 'saving' || phase === 'saved'
  const canSave = isChanged && !isBusy && !hasOpenChoices
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-col gap-3 border-t border-line bg-surface-1 p-4 sm:px-5">
      {phase === 'failed' && (
        <FormAlert>
          <p>Failed to save changes.</p>
          <p className="text-text">{edit.failure}</p>
        </FormAlert>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <output className="mr-auto text-muted max-sm:w-full">
          {statusTexts[phase] || (hasOpenChoices ? 'Choose a version for each highlighted field above.' : '')}
        </output>
        {isChanged && !isBusy && (
          <Button variant="ghost" onClick={() => void edit.discard()}>
            Discard changes
          </Button>
        )}
        <Button onClick={onClose} className="max-sm:flex-1">
          Close
        </Button>
        <Button
          type="submit"
          variant="primary"
          aria-disabled={!canSave}
          onClick={(event) => !canSave && event.preventDefault()}
          className="min-w-32 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 max-sm:flex-1"
        >
          Save changes
        </Button>
      </div>
    </div>
  )
}
