import { MAX_URL_LENGTH } from '#contract/limits.ts'
import { type FieldErrors, invalidField, labelOf } from './field-errors.ts'

/** Control characters other than tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]/u
/** Any character except spaces and control, format, private-use and default-ignorable characters. */
const VISIBLE = /[^\p{C}\p{Z}\p{DI}]/u

export interface TextRule {
  field: string
  /** Subject of the error sentences: the label that people see, made from the field's name by default. */
  label?: string
  /** In characters, as PostgreSQL counts them. */
  maxLength?: number
}

type RawText = string | null | undefined

/** Whether a text consists of spaces and invisible characters only. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

export const findControlCharacter = (text: string): number => text.search(CONTROL)

export const hasControlCharacters = (text: string): boolean => CONTROL.test(text)

/** Whether a text has more than `maxLength` characters, as PostgreSQL counts them. */
export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength * 2 || Array.from(text).length > maxLength
}

function report(field: string, message: string, errors: FieldErrors | undefined): void {
  if (!errors) throw invalidField(field, message)
  errors.add(field, message)
}

const normalize = (raw: RawText): string => (raw ?? '').replaceAll(/\r\n?/g, '\n').trim()

function check(text: string, rule: TextRule, errors: FieldErrors | undefined): string {
  const { field, label = labelOf(field), maxLength = Infinity } = rule
  if (isLongerThan(text, maxLength)) report(field, `${label} must have at most ${maxLength} characters.`, errors)
  else if (hasControlCharacters(text)) report(field, `${label} must not contain control characters.`, errors)
  return text
}

function checkRequired(text: string, rule: TextRule, errors: FieldErrors | undefined): string {
  if (!isBlank(text)) return check(text, rule, errors)
  report(rule.field, `${rule.label ?? labelOf(rule.field)} must not be empty.`, errors)
  return text
}

/** Several lines, trimmed. Without `errors`, throws AppError `invalid` if it's blank, too long or has control characters. */
export function parseText(raw: RawText, rule: TextRule, errors?: FieldErrors): string {
  return checkRequired(normalize(raw), rule, errors)
}

export function ifDefined<T, R>(value: T | undefined, parse: (value: T) => R): R | undefined {
  return value === undefined ? undefined : parse(value)
}

/** Like `parseText`, but null for blank text. */
export function parseOptionalText(raw: RawText, rule: TextRule, errors?: FieldErrors): string | null {
  const text = check(normalize(raw), rule, errors)
  return isBlank(text) ? null : text
}

/** Like `parseText` for one line: line breaks and tabs become spaces. */
export function parseLine(raw: RawText, rule: TextRule, errors?: FieldErrors): string {
  return checkRequired(normalize(raw).replaceAll(/[\n\t]/g, ' '), rule, errors)
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

/** The text on one line, without invisible characters: runs of these and of spaces become a space. */
export const toOneLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()

const SENTENCE_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** A time for sentences, to the minute: 'November 21, 2026 at 07:30 UTC'. */
export const formatTime = (time: Date): string => `${SENTENCE_TIME.format(time)} UTC`

const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const LOCAL_TIME = /T[\d:.]+$/

/** An ISO 8601 time, in UTC if it has no zone, or a day at this clock time in UTC. Null if it is neither, or no such day exists. */
export function parseDayOrTime(raw: string, clock: string): Date | null {
  const isDay = DAY.test(raw)
  const text = isDay ? `${raw}T${clock}Z` : raw.replace(LOCAL_TIME, '$&Z')
  const time = new Date(TIME.test(text) ? text : Number.NaN)
  if (Number.isNaN(time.getTime())) return null
  // JavaScript accepts February 30 as March 2.
  return isDay && !time.toISOString().startsWith(raw) ? null : time
}
