import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { MAX_BADGE_LENGTH, MAX_BADGE_TITLE_LENGTH, MAX_NOTES_LENGTH } from '#contract/limits.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { useAction } from '#web/components/use-action.ts'
import type { UserDialogProps } from './user-dialogs.tsx'

interface Values {
  title: string
  custom_badge: string
  badge_color: string
  notes: string
  reputation: string
}

const valuesOf = (user: AdminUser): Values => ({
  title: user.title ?? '',
  custom_badge: user.custom_badge ?? '',
  badge_color: user.badge_color,
  notes: user.notes ?? '',
  reputation: String(user.reputation),
})

export function EditDialog({ user, onDone, onClose }: UserDialogProps) {
  const api = useApi()
  const deed = useAction()
  const [values, setValues] = useState(() => valuesOf(user))
  const set = (name: keyof Values) => (value: string) => setValues((old) => ({ ...old, [name]: value }))
  const save = async () => {
    const { reputation, ...texts } = values
    await deed(
      () =>
        act(api, {
          action: 'edit_user',
          user_id: user.id,
          ...texts,
          // Untouched, it may have grown meanwhile.
          ...(reputation === valuesOf(user).reputation ? {} : { reputation }),
        }),
      { success: 'User updated successfully', failure: 'Failed to update user' },
    )
    onDone()
  }
  return (
    <FormDialog
      title={`Edit User: ${user.username}`}
      submitLabel="Save Changes"
      busyLabel="Saving..."
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field name="title" label="Title" error={errors['title']}>
            {(aria) => (
              <TextInput {...aria} value={values.title} maxLength={MAX_BADGE_TITLE_LENGTH} onChange={set('title')} />
            )}
          </Field>
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-4">
            <Field name="custom_badge" label="Custom Badge" error={errors['custom_badge']}>
              {(aria) => (
                <TextInput
                  {...aria}
                  value={values.custom_badge}
                  maxLength={MAX_BADGE_LENGTH}
                  onChange={set('custom_badge')}
                />
              )}
            </Field>
            <Field name="badge_color" label="Badge Color" error={errors['badge_color']}>
              {(aria) => (
                <input
                  {...aria}
                  type="color"
                  value={values.badge_color}
                  onChange={(event) => set('badge_color')(event.target.value)}
                  className="h-11 w-24 cursor-pointer rounded-sm border border-line-strong bg-surface-0 p-1 sm:h-10"
                />
              )}
            </Field>
          </div>
          <Field
            name="reputation"
            label="Reputation Points"
            help="A whole number; anything else counts as 0."
            error={errors['reputation']}
          >
            {(aria) => (
              <TextInput
                {...aria}
                value={values.reputation}
                inputMode="numeric"
                maxLength={40}
                onChange={set('reputation')}
              />
            )}
          </Field>
          <Field name="notes" label="Admin Notes" help="Only admins see them." error={errors['notes']}>
            {(aria) => <TextArea {...aria} value={values.notes} maxLength={MAX_NOTES_LENGTH} onChange={set('notes')} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
