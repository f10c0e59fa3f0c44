import { cleanLine, cleanText, hasDirectionControls, isBlank, isLongerThan, positionOfControl } from '@scriptyard/text'
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

function report(field: string, message: string, errors: FieldErrors | undefined): void {
  if (!errors) throw invalidField(field, message)
  errors.add(field, message)
}

interface Reading extends TextRule {
  kind: 'line' | 'text'
  isRequired: boolean
  errors: FieldErrors | undefined
}

/** The cleaned text. Reports what cannot be cleaned. */
function read(raw: RawText, { kind, isRequired, errors, ...rule }: Reading): string {
  const { field, label = labelOf(field), maxLength = Infinity } = rule
  const input = raw ?? ''
  const text = kind === 'line' ? cleanLine(input) : cleanText(input)
  const position = positionOfControl(input, kind)
  if (position !== undefined) report(field, `${position}: ${label} must not contain control characters.`, errors)
  else if (isBlank(text) && isRequired) report(field, `${label} must not be empty.`, errors)
  else if (kind === 'line' && hasDirectionControls(input)) {
    report(field, `${label} can't contain text-direction characters.`, errors)
  } else if (isLongerThan(text, maxLength)) report(field, `${label} must have at most ${maxLength} characters.`, errors)
  return text
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
  const text = raw?.trim() ?? ''
  if (!text) return null
  const { field, label = labelOf(field) } = rule
  const reject = (message: string) => {
    report(field, message, errors)
    return null
  }
  const tooLong = `${label} must have at most ${MAX_URL_LENGTH} characters.`
  if (isLongerThan(text, MAX_URL_LENGTH)) return reject(tooLong)
  // URL.parse silently drops tabs and line breaks.
  const url = /\p{Cc}/u.test(text) ? null : URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return reject(`${label} must be a URL that starts with https:// or http://.`)
  }
  if (url.username || url.password) return reject(`${label} must not contain a user name or password.`)
  return isLongerThan(url.href, MAX_URL_LENGTH) ? reject(tooLong) : url
}

const SENTENCE_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** A time for sentences, to the minute: 'November 21, 2026 at 07:30 UTC'. */
export const formatTime = (time: Date): string => `${SENTENCE_TIME.format(time)} UTC`
