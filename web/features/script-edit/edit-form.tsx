import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Script } from '#contract/scripts.ts'
import type { CodeFieldHandle } from '#web/features/script-edit/form/code-editor.tsx'
import { SecretWarning } from '#web/features/script-edit/form/declaration-fields.tsx'
import {
  ImageField,
  KeyFields,
  PropertyFields,
  TagField,
  TextFields,
} from '#web/features/script-edit/form/script-fields.tsx'
import { KindFields } from '#web/features/script-edit/form/kind-fields.tsx'
import { ScreenshotsField } from '#web/features/script-edit/form/screenshots-field.tsx'
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { coverMessages } from '#web/shared/image-error.ts'
import { EditFooter, RestoredNotice } from './edit-footer.tsx'
import { scriptPath } from '#web/shared/script-paths.ts'
import type { OpenedEdit } from './open-edit.ts'
import { useEdit } from './use-edit.ts'
import { VERSION_FIELDS, VersionFields } from './version-fields.tsx'

const POPULAR_TAGS = 5
const CLOSE_DELAY_MS = 500

interface Props {
  script: Pick<Script, 'id' | 'slug'>
  opened: OpenedEdit
  slot: DraftSlot
  onClose: () => void
}

/** Everything that the author can change about a script. The code is folded until it is needed. */
export function EditForm({ script, opened, slot, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const codeField = useRef<CodeFieldHandle>(null)
  const [isCodeOpen, setCodeOpen] = useState(opened.edit.values.script_content !== opened.edit.base.script_content)
  const openCode = () => flushSync(() => setCodeOpen(true))
  const showErrors = (errors: object) => {
    const names = Object.keys(errors)
    if (names.some((name) => VERSION_FIELDS.has(name))) openCode()
    if (form.current) focusFirstError(form.current, names)
  }
  const edit = useEdit({ slot, scriptId: script.id, opened, onErrors: showErrors, isCodeShown: isCodeOpen })
  const { conflict } = edit
  useCloseWhenSaved(edit.fullySaved, onClose)
  const showLine = (line: number) => {
    openCode()
    codeField.current?.goToLine(line)
  }
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
      <RestoredNotice edit={edit} />
      {conflict && <ConflictPanel conflict={conflict} onChoose={edit.choose} />}
      <DetailFields edit={edit} script={script} />
      <FormSection title="Code and version" text="Publishes new code. Earlier versions stay available.">
        {isCodeOpen ? (
          <VersionFields edit={edit} codeField={codeField} scriptId={script.id} />
        ) : (
          <Button aria-expanded={false} onClick={openCode} className="self-start">
            Change the code or version
          </Button>
        )}
      </FormSection>
      <SecretWarning declaration={edit.declaration} error={edit.errors['secret']} onLine={showLine} />
      <EditFooter edit={edit} saveLabel="Save changes" isInDialog>
        <Button onClick={onClose} className="max-sm:flex-1">
          Close
        </Button>
      </EditFooter>
      <UnsavedGuard
        isDirty={edit.isChanged}
        isStored
        text="Your changes stay in this browser. You find them here when you edit this script again."
      />
    </form>
  )
}

/** Closes the form half a second after its changes were saved, unless the author goes on typing. */
function useCloseWhenSaved(fullySaved: Script | undefined, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!fullySaved) return undefined
    const timer = setTimeout(() => close(), CLOSE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [fullySaved])
}

function DetailFields({ edit, script }: { edit: ReturnType<typeof useEdit> } & Pick<Props, 'script'>) {
  const { values, errors, change } = edit
  const fields = { values, errors, change }
  return (
    <>
      <FormSection title="Basic Information" text="The first thing people see.">
        <TextFields {...fields} hasVersion={false} />
        <ImageField
          label="Cover"
          messages={coverMessages}
          image={values.image}
          errors={errors}
          onChange={(image) => change({ image })}
          onError={edit.setImageError}
        />
        <ScreenshotsField {...fields} />
      </FormSection>
      <FormSection title="Tags & Categories" text="Tags help people find your script.">
        <TagField {...fields} popularCount={POPULAR_TAGS} />
      </FormSection>
      <FormSection title="Script Properties" text="Compatibility, pricing and visibility.">
        <KindFields {...fields} />
        <PropertyFields {...fields} hiddenAt={edit.isHidden ? scriptPath(script) : undefined} />
      </FormSection>
      <FormSection title="Access Control" text="Does the script need a key?">
        <KeyFields {...fields} />
      </FormSection>
    </>
  )
}
