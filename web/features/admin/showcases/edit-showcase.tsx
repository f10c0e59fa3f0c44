import { useState } from 'react'
import type { AdminScript } from '#contract/admin.ts'
import { MAX_SHOWCASE_NOTES_LENGTH, MAX_URL_LENGTH } from '#contract/limits.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

export function EditShowcase({
  script,
  onDone,
  onClose,
}: {
  script: AdminScript
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const deed = useAction()
  const [video, setVideo] = useState(script.showcase_video_url ?? '')
  const [date, setDate] = useState(script.showcase_date?.slice(0, 10) ?? '')
  const [notes, setNotes] = useState(script.showcase_notes ?? '')
  const save = async () => {
    const body = {
      script_id: script.id,
      showcase_video_url: video.trim(),
      showcase_notes: notes,
      // Untouched, its time of day stays.
      ...(date && date !== script.showcase_date?.slice(0, 10) ? { showcase_date: date } : {}),
    }
    await deed(() => api('PUT /api/showcases', { body }), {
      success: 'Showcase details updated successfully',
      failure: 'Failed to update showcase details',
    })
    onDone()
  }
  return (
    <FormDialog
      title="Edit Showcase Details"
      submitLabel="Save Changes"
      busyLabel="Saving..."
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted wrap-anywhere">
            <bdi>{script.title}</bdi>
          </p>
          <Field name="showcase_video_url" label="YouTube Video URL" error={errors['showcase_video_url']}>
            {(aria) => (
              <TextInput
                {...aria}
                type="url"
                value={video}
                maxLength={MAX_URL_LENGTH}
                placeholder="https://www.youtube.com/watch?v=..."
                onChange={setVideo}
              />
            )}
          </Field>
          <Field name="showcase_date" label="Showcase Date" error={errors['showcase_date']}>
            {(aria) => <TextInput {...aria} type="date" value={date} onChange={setDate} />}
          </Field>
          <Field name="showcase_notes" label="Notes" error={errors['showcase_notes']}>
            {(aria) => <TextArea {...aria} value={notes} maxLength={MAX_SHOWCASE_NOTES_LENGTH} onChange={setNotes} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
