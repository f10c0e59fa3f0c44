import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { CodeField } from '#web/components/script-form/code-field.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { ImageField } from '#web/components/script-form/image-field.tsx'
import { KeyFields } from '#web/components/script-form/key-fields.tsx'
import { PropertyFields } from '#web/components/script-form/property-fields.tsx'
import { TagField } from '#web/components/script-form/tag-field.tsx'
import { TextFields } from '#web/components/script-form/text-fields.tsx'
import { usePopularTags } from '#web/components/script-form/use-popular-tags.ts'
import type { FieldErrors, ScriptValues } from '#web/components/script-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { isBlank } from './draft.ts'
import { KeyUsedDialog } from './key-used-dialog.tsx'
import { Previews } from './previews.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import { UploadSkeleton } from './upload-skeleton.tsx'
import { useDraft } from './use-draft.ts'
import { usePastedImage } from './use-pasted-image.ts'
import { usePublish } from './use-publish.ts'

const POPULAR_TAGS = 8
const imageTexts = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image must be smaller than ~3MB',
}

export function UploadForm({ memberId }: { memberId: number }) {
  const draft = useDraft(memberId)
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isLeaving, setLeaving] = useState(false)
  const navigate = useNavigate()
  const popular = usePopularTags(POPULAR_TAGS)
  const publishing = usePublish(draft, form, setErrors)

  const refuseImage = (image: string | undefined) => setErrors((all) => ({ ...all, image }))
  const change = (changed: Partial<ScriptValues>) => {
    draft.change(changed)
    // What is being put right is no longer marked.
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(changed).map((name) => [name, undefined])) }))
  }
  usePastedImage((image) => change({ image }), refuseImage, imageTexts)

  if (!draft.isReady) return <UploadSkeleton />
  const part = { values: draft.values, errors, change }
  const cancel = () => (isBlank(draft.present().values) ? void navigate('/scripts') : setLeaving(true))
  return (
    <>
      {draft.isRestored && <RestoredNotice onDiscard={() => void draft.discard()} />}
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form
          ref={form}
          noValidate
          aria-label="Upload Script"
          onSubmit={(event) => {
            event.preventDefault()
            void publishing.publish()
          }}
          className="flex min-w-0 flex-col gap-6"
        >
          <FormSection title="Basic Information" text="What people read first.">
            <TextFields {...part} />
            <ImageField
              label="Thumbnail"
              texts={imageTexts}
              image={draft.values.image}
              errors={errors}
              onChange={(image) => change({ image })}
              onRefuse={refuseImage}
            />
          </FormSection>
          <FormSection title="Tags & Categories" text="By these it is found.">
            <TagField {...part} popular={popular} />
          </FormSection>
          <FormSection title="Script Properties" text="What it works with, and who may see it.">
            <PropertyFields {...part} />
          </FormSection>
          <FormSection title="Access Control" text="Whether people need a key.">
            <KeyFields {...part} />
          </FormSection>
          <FormSection title="Script Content" text="The Luau code itself, at most 1 MiB.">
            <CodeField
              code={draft.values.script_content}
              error={errors['script_content']}
              onChange={(script_content) => change({ script_content })}
            />
          </FormSection>
          {publishing.failure && <FormAlert>{publishing.failure}</FormAlert>}
          <FormFoot isKept={draft.isKept} isBusy={publishing.isBusy} onCancel={cancel} />
        </form>
        <Previews values={draft.values} />
      </div>
      {isLeaving && (
        <CancelDialog
          onStay={() => setLeaving(false)}
          onKeep={() => void draft.flush().then(() => navigate('/scripts'))}
          onDiscard={() => void draft.discard().then(() => navigate('/scripts'))}
        />
      )}
      {publishing.isKeyUsed && (
        <KeyUsedDialog onAnother={publishing.publishAnother} onClose={publishing.forgetKeyUsed} />
      )}
    </>
  )
}

function FormFoot({
  isKept,
  isBusy,
  onCancel,
}: {
  isKept: boolean | undefined
  isBusy: boolean
  onCancel: () => void
}) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-surface-0 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:mx-0 sm:px-0">
      <output className="mr-auto text-sm text-muted max-sm:w-full">{keptText(isKept)}</output>
      <Button onClick={onCancel} className="max-sm:flex-1">
        Cancel
      </Button>
      <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-36 max-sm:flex-1">
        {isBusy ? 'Uploading...' : 'Upload Script'}
      </Button>
    </div>
  )
}

function keptText(isKept: boolean | undefined): string {
  if (isKept === undefined) return ''
  return isKept ? 'Draft kept in this browser' : 'This browser keeps no draft: do not close the page yet.'
}
