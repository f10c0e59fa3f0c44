import { type Checked, checkLink, checkText, isBlank } from '@scriptyard/text'
import { MAX_URL_LENGTH } from '#contract/limits.ts'
import { type FieldErrors, invalidField, labelOf } from './field-errors.ts'

export interface TextRule {
  field: string
  /** Subject of the error sentences: the label that people see, made from the field's name by default. */
  label?: string
  /** In characters: Unicode code points, as PostgreSQL counts them. */
  maxLength?: number
}

type RawText = string | null | undefined

/** The value. Adds its problem to `errors`, or throws it as AppError `invalid` if there are none. */
function valueOf<T>(field: string, { value, problem }: Checked<T>, errors: FieldErrors | undefined): T {
  if (problem && !errors) throw invalidField(field, problem.message)
  if (problem) errors?.add(field, problem.message)
  return value
}

interface Reading extends TextRule {
  kind: 'line' | 'text'
  isRequired: boolean
  errors: FieldErrors | undefined
}

function read(raw: RawText, { field, label = labelOf(field), errors, ...rule }: Reading): string {
  return valueOf(field, checkText(raw ?? '', { ...rule, label }), errors)
}

/** Several lines, cleaned. Without `errors`, throws AppError `invalid` if it's blank, too long or has control characters. */
export function parseText(raw: RawText, rule: TextRule, errors?: FieldErrors): string {
  return read(raw, { ...rule, kind: 'text', isRequired: true, errors })
}

export function ifDefined<T, R>(value: T | undefined, parse: (value: T) => R): R | undefined {
  return value === undefined ? undefined : parse(value)
}

/** Like `parseText`, but null for blank text. */
export function parseOptionalText(raw: RawText, rule: TextRule, errors?: FieldErrors): string | null {
  const text = read(raw, { ...rule, kind: 'text', isRequired: false, errors })
  return isBlank(text) ? null : text
}

/** Like `parseText` for one line: titles, names, labels. Text-direction characters are rejected. */
export function parseLine(raw: RawText, rule: TextRule, errors?: FieldErrors): string {
  return read(raw, { ...rule, kind: 'line', isRequired: true, errors })
}

/** Like `parseLine`, but null for a blank line. */
export function parseOptionalLine(raw: RawText, rule: TextRule, errors?: FieldErrors): string | null {
  const line = read(raw, { ...rule, kind: 'line', isRequired: false, errors })
  return isBlank(line) ? null : line
}

/** A web address as the URL standard writes it; null if it's empty or invalid. Reports errors like `parseText`. */
export function parseLink(raw: RawText, rule: Omit<TextRule, 'maxLength'>, errors?: FieldErrors): URL | null {
  const { field, label = labelOf(field) } = rule
  return valueOf(field, checkLink(raw ?? '', { label, maxLength: MAX_URL_LENGTH }), errors)
}

const SENTENCE_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** A time for sentences, to the minute: 'November 21, 2026 at 07:30 UTC'. */
export const formatTime = (time: Date): string => `${SENTENCE_TIME.format(time)} UTC`
