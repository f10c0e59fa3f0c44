import { useState } from 'react'
import type { Giveaway } from '#contract/giveaways.ts'
import { FormDialog } from '#web/components/form-dialog.tsx'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Switch } from '#web/ui/switch.tsx'
import { EntryFields } from './entry-fields.tsx'
import { changeOf, checkValues, creationOf, EMPTY, type Values, valuesOf } from './giveaway-values.ts'
import { PrizeFields } from './prize-fields.tsx'
import { TextFields } from './text-fields.tsx'

export interface FieldsProps {
  values: Values
  errors: Record<string, string>
  /** Drawn: what the draw rests on stays as it is. */
  isDrawn: boolean
  change: (change: Partial<Values>) => void
}

/** Makes a giveaway, or changes one. */
export function GiveawayDialog({
  giveaway,
  onDone,
  onClose,
}: {
  giveaway?: Giveaway
  onDone: () => void
  onClose: () => void
}) {
  const api = useApi()
  const deed = useAction()
  const [values, setValues] = useState<Values>(() => (giveaway ? valuesOf(giveaway) : EMPTY))
  const change = (part: Partial<Values>) => setValues((old) => ({ ...old, ...part }))
  const isDrawn = giveaway?.drawn_at != null

  const save = async () => {
    const fields = checkValues(values)
    if (Object.keys(fields).length > 0) throw new ApiError(0, 'Some fields are not right.', { fields })
    if (giveaway) {
      await deed(() => api('PUT /api/giveaways', { body: changeOf(giveaway, values) }), {
        success: 'Giveaway updated successfully',
        failure: 'Failed to update giveaway',
      })
    } else {
      await deed(() => api('POST /api/giveaways', { body: creationOf(values) }), {
        success: 'Giveaway created successfully',
        failure: 'Failed to create giveaway',
      })
    }
    onDone()
  }
  return (
    <FormDialog
      title={giveaway ? 'Edit Giveaway' : 'Create Giveaway'}
      size="md"
      submitLabel={giveaway ? 'Save Changes' : 'Create Giveaway'}
      busyLabel={giveaway ? 'Saving...' : 'Creating...'}
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => {
        const props = { values, errors, isDrawn, change }
        return (
          <>
            {isDrawn && (
              <p className="text-muted">The winners are drawn: what the draw rests on cannot be changed any more.</p>
            )}
            <TextFields {...props} />
            <PrizeFields {...props} isNew={!giveaway} />
            <EntryFields {...props} />
            {giveaway && (
              <Switch
                label="Active"
                help="Nobody can enter while it is off."
                isOn={values.is_active}
                onChange={(is_active) => change({ is_active })}
              />
            )}
          </>
        )
      }}
    </FormDialog>
  )
}
