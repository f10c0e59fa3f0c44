import type { Giveaway, GiveawayChange, GiveawayCreation } from '#contract/giveaways.ts'

/** What the form holds: texts, as they stand in its fields. */
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

/** The day of a time where the browser is: '2026-11-21'. */
export function localDay(time: Date): string {
  const month = String(time.getMonth() + 1).padStart(2, '0')
  return `${time.getFullYear()}-${month}-${String(time.getDate()).padStart(2, '0')}`
}

/** The end of a day where the browser is. */
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

export function valuesOf(giveaway: Giveaway): Values {
  return {
    title: giveaway.title,
    description: giveaway.description,
    prize_type: giveaway.prize_type,
    prize_description: giveaway.prize_description,
    // The list never carries prizes: left empty, they stay as they are.
    prize_value: '',
    end_date: localDay(new Date(giveaway.end_date)),
    max_entries: giveaway.max_entries === null ? '' : String(giveaway.max_entries),
    winner_count: String(giveaway.winner_count),
    entry_requirement: giveaway.entry_requirement,
    is_active: giveaway.is_active,
  }
}

const isWhole = (text: string): boolean => /^[1-9]\d*$/.test(text.trim())

/** What is wrong with the form that the server could not say as well. */
export function checkValues({ end_date, max_entries, winner_count }: Values): Record<string, string> {
  return {
    ...(end_date ? {} : { end_date: 'Choose the last day.' }),
    ...(max_entries.trim() === '' || isWhole(max_entries) ? {} : { max_entries: 'Give a whole number, or nothing.' }),
    ...(isWhole(winner_count) ? {} : { winner_count: 'Give a whole number from 1 to 50.' }),
  }
}

type Fields = Omit<GiveawayCreation, 'action'>

function fieldsOf(values: Values): Fields {
  const { is_active: _isActive, prize_value, ...texts } = values
  return {
    ...texts,
    end_date: endOf(values.end_date),
    max_entries: values.max_entries.trim() === '' ? null : Number(values.max_entries),
    winner_count: Number(values.winner_count),
    ...(prize_value.trim() ? { prize_value } : {}),
  }
}

export const creationOf = (values: Values): GiveawayCreation => fieldsOf(values)

/** What the form changes: what was not touched is not sent. */
export function changeOf(giveaway: Giveaway, values: Values): GiveawayChange {
  const old = valuesOf(giveaway)
  const fields: Record<string, unknown> = { ...fieldsOf(values), is_active: values.is_active }
  const touched = (Object.keys(old) as (keyof Values)[]).filter((name) => values[name] !== old[name])
  return { id: giveaway.id, ...Object.fromEntries(touched.map((name) => [name, fields[name]])) }
}
