import { useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import type { Giveaway } from '#contract/giveaways.ts'
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_ENTRIES_LIMIT,
  MAX_PRIZE_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_WINNERS,
} from '#contract/limits.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { PRIZE_LABELS, REQUIREMENT_LABELS } from './giveaway-state.ts'
import { changeOf, creationOf, EMPTY, localDay, validateValues, type Values, valuesOf } from './giveaway-values.ts'

const MAX_PRIZE_DESCRIPTION_LENGTH = 500

/** Creates a giveaway, or edits the given one. */
export function GiveawayDialog({ giveaway, onClose }: { giveaway?: Giveaway; onClose: () => void }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState<Values>(() => (giveaway ? valuesOf(giveaway) : EMPTY))
  const change = (part: Partial<Values>) => setValues((old) => ({ ...old, ...part }))
  const isDrawn = giveaway?.drawn_at != null

  const save = async () => {
    const fields = validateValues(values)
    if (Object.keys(fields).length > 0) throw new ApiError(0, 'Check the highlighted fields.', { fields })
    if (giveaway) {
      await run(() => api('PUT /api/giveaways', { body: changeOf(giveaway, values) }), {
        success: 'Giveaway updated successfully',
        failure: 'Failed to update giveaway',
      })
    } else {
      await run(() => api('POST /api/giveaways', { body: creationOf(values) }), {
        success: 'Giveaway created successfully',
        failure: 'Failed to create giveaway',
      })
    }
    void revalidate()
  }
  return (
    <FormDialog
      title={giveaway ? 'Edit giveaway' : 'Create giveaway'}
      size="md"
      submitLabel={giveaway ? 'Save changes' : 'Create giveaway'}
      busyLabel={giveaway ? 'Saving...' : 'Creating...'}
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => {
        const props = { values, errors, isDrawn, change }
        return (
          <>
            {isDrawn && (
              <p className="text-muted">The winners have been drawn, so prizes and entry rules are locked.</p>
            )}
            <TextFields {...props} />
            <PrizeFields {...props} isNew={!giveaway} />
            <EntryFields {...props} />
            {giveaway && (
              <Switch
                label="Active"
                help="Entries are paused while this is off."
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

interface FieldsProps {
  values: Values
  errors: Record<string, string>
  /** Whether the winners are drawn. The fields that the draw depends on are locked then. */
  isDrawn: boolean
  change: (change: Partial<Values>) => void
}

function TextFields({ values, errors, change }: FieldsProps) {
  return (
    <>
      <Field name="title" label="Title" error={errors['title']} isRequired>
        {(aria) => (
          <TextInput
            {...aria}
            value={values.title}
            maxLength={MAX_TITLE_LENGTH}
            onChange={(title) => change({ title })}
          />
        )}
      </Field>
      <Field name="description" label="Description" error={errors['description']}>
        {(aria) => (
          <TextArea
            {...aria}
            value={values.description}
            maxLength={MAX_DESCRIPTION_LENGTH}
            onChange={(description) => change({ description })}
          />
        )}
      </Field>
    </>
  )
}

function PrizeFields({ values, errors, isDrawn, change, isNew }: FieldsProps & { isNew: boolean }) {
  const { exec_key, custom } = PRIZE_LABELS
  const { prize_type } = values
  // Other types exist only in old giveaways, which keep theirs until another one is chosen.
  const options: Record<string, string> = { exec_key, custom, [prize_type]: PRIZE_LABELS[prize_type] }
  const count = values.prize_value.split('\n').filter((line) => line.trim()).length
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField<string>
          name="prize_type"
          label="Prize type"
          value={prize_type}
          options={options}
          disabled={isDrawn}
          onChange={(type) => change({ prize_type: type as typeof prize_type })}
        />
        <Field name="prize_description" label="Prize description" error={errors['prize_description']}>
          {(aria) => (
            <TextInput
              {...aria}
              value={values.prize_description}
              maxLength={MAX_PRIZE_DESCRIPTION_LENGTH}
              onChange={(prize_description) => change({ prize_description })}
            />
          )}
        </Field>
      </div>
      {prize_type === 'exec_key' && (
        <Field
          name="prize_value"
          label="Keys"
          help={
            isNew
              ? 'One key per line. Each winner receives one key privately.'
              : 'One key per line. Leave blank to keep the current keys.'
          }
          aside={count > 0 && `${count} ${count === 1 ? 'key' : 'keys'}`}
          error={errors['prize_value']}
        >
          {(aria) => (
            <TextArea
              {...aria}
              dir="ltr"
              value={values.prize_value}
              maxLength={MAX_PRIZE_LENGTH}
              disabled={isDrawn}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              onChange={(prize_value) => change({ prize_value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

function EntryFields({ values, errors, isDrawn, change }: FieldsProps) {
  const [today] = useState(() => localDay(new Date()))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        name="end_date"
        label="End date"
        help="Ends at midnight in your time zone."
        error={errors['end_date']}
        isRequired
      >
        {(aria) => (
          <TextInput
            {...aria}
            type="date"
            min={today}
            value={values.end_date}
            disabled={isDrawn}
            onChange={(end_date) => change({ end_date })}
          />
        )}
      </Field>
      <ChoiceField
        name="entry_requirement"
        label="Entry requirement"
        value={values.entry_requirement}
        options={REQUIREMENT_LABELS}
        disabled={isDrawn}
        onChange={(entry_requirement) => change({ entry_requirement })}
      />
      <Field name="winner_count" label="Winners" help={`1 to ${MAX_WINNERS}`} error={errors['winner_count']} isRequired>
        {(aria) => (
          <TextInput
            {...aria}
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_WINNERS}
            value={values.winner_count}
            disabled={isDrawn}
            onChange={(winner_count) => change({ winner_count })}
          />
        )}
      </Field>
      <Field name="max_entries" label="Max entries" help="Leave blank for no limit." error={errors['max_entries']}>
        {(aria) => (
          <TextInput
            {...aria}
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_ENTRIES_LIMIT}
            placeholder="Unlimited"
            value={values.max_entries}
            disabled={isDrawn}
            onChange={(max_entries) => change({ max_entries })}
          />
        )}
      </Field>
    </div>
  )
}
