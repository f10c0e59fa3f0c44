import { isDay } from '@scriptyard/text'
import type { Giveaway, GiveawayChange, GiveawayCreation } from '#contract/giveaways.ts'

/** Values of the form, as the texts in its fields. */
export interface Values {
  title: string
  description: string
  prize_type: Giveaway['prize_type']
  prize_description: string
  prize_value: string
  end_date: string
  max_entries: string
  winner_count: string
  entry_requirement: Giveaway['entry_requirement']
  is_active: boolean
}

export const EMPTY: Values = {
  title: '',
  description: '',
  prize_type: 'exec_key',
  prize_description: '',
  prize_value: '',
  end_date: '',
  max_entries: '',
  winner_count: '1',
  entry_requirement: 'login',
  is_active: true,
}

/** The day of a time in the browser's time zone, as '2026-11-21'. */
export function localDay(time: Date): string {
  const month = String(time.getMonth() + 1).padStart(2, '0')
  return `${time.getFullYear()}-${month}-${String(time.getDate()).padStart(2, '0')}`
}

/** The last millisecond of a day in the browser's time zone. */
const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

export function valuesOf(giveaway: Giveaway): Values {
  return {
    title: giveaway.title,
    description: giveaway.description,
    prize_type: giveaway.prize_type,
    prize_description: giveaway.prize_description,
    // The list of giveaways contains no prizes. Left blank, they are not changed.
    prize_value: '',
    end_date: localDay(new Date(giveaway.end_date)),
    max_entries: giveaway.max_entries === null ? '' : String(giveaway.max_entries),
    winner_count: String(giveaway.winner_count),
    entry_requirement: giveaway.entry_requirement,
    is_active: giveaway.is_active,
  }
}

const isPositiveInteger = (text: string): boolean => /^[1-9]\d*$/.test(text.trim())

/** Errors by field, for values that cannot be sent to the server at all. */
export function validateValues({ end_date, max_entries, winner_count }: Values): Record<string, string> {
  return {
    ...(isDay(end_date) ? {} : { end_date: 'Choose an end date.' }),
    ...(max_entries.trim() === '' || isPositiveInteger(max_entries)
      ? {}
      : { max_entries: 'Enter a whole number, or leave it blank.' }),
    ...(isPositiveInteger(winner_count) ? {} : { winner_count: 'Enter a whole number from 1 to 50.' }),
  }
}

type Fields = Omit<GiveawayCreation, 'action'>

function fieldsOf(values: Values): Fields {
  const { is_active: _isActive, prize_value, ...texts } = values
  return {
    ...texts,
    end_date: endOfDay(values.end_date),
    max_entries: values.max_entries.trim() === '' ? null : Number(values.max_entries),
    winner_count: Number(values.winner_count),
    ...(prize_value.trim() ? { prize_value } : {}),
  }
}

export const creationOf = (values: Values): GiveawayCreation => fieldsOf(values)

/** The change to send: only fields that were edited. */
export function changeOf(giveaway: Giveaway, values: Values): GiveawayChange {
  const old = valuesOf(giveaway)
  const fields: Record<string, unknown> = { ...fieldsOf(values), is_active: values.is_active }
  const edited = (Object.keys(old) as (keyof Values)[]).filter((name) => values[name] !== old[name])
  return { id: giveaway.id, ...Object.fromEntries(edited.map((name) => [name, fields[name]])) }
}
