import { useState } from 'react'
import { MAX_ENTRIES_LIMIT, MAX_WINNERS } from '#contract/limits.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldsProps } from './giveaway-dialog.tsx'
import { localDay } from './giveaway-values.ts'
import { REQUIREMENT_LABELS } from './prize-labels.ts'

/** Who may enter, until when, and how many win. */
export function EntryFields({ values, errors, isDrawn, change }: FieldsProps) {
  const [today] = useState(() => localDay(new Date()))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field name="end_date" label="End Date" help="Ends when this day does." error={errors['end_date']} isRequired>
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
        label="Entry Requirement"
        value={values.entry_requirement}
        options={REQUIREMENT_LABELS}
        disabled={isDrawn}
        onChange={(entry_requirement) => change({ entry_requirement })}
      />
      <Field name="winner_count" label="Number of Winners" help="1 to 50" error={errors['winner_count']} isRequired>
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
      <Field name="max_entries" label="Max Entries" help="Leave it empty for no limit." error={errors['max_entries']}>
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
