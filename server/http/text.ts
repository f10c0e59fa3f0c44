import type { FieldErrors } from './field-errors.ts'

/** Control characters other than tab and newline. */
const CONTROL = /[^\P{Cc}\t\n]/u
const VISIBLE = /[^\p{C}\p{Z}\p{DI}]/u

export const hasControlCharacters = (text: string): boolean => CONTROL.test(text)

/** Whether there is anything to see: not only spaces and characters without a shape. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** Whether a text has more characters, as PostgreSQL counts them, than `most`. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most * 2 || Array.from(text).length > most
}

export interface TextRule {
  field: string
  /** How the sentences name it: 'The title'. */
  name: string
  maxLength: number
}

function check(text: string, { field, name, maxLength }: TextRule, refusals: FieldErrors): string {
  if (!isVisible(text)) refusals.add(field, `${name} must not be empty.`)
  else if (isLongerThan(text, maxLength)) refusals.add(field, `${name} can have at most ${maxLength} characters.`)
  else if (hasControlCharacters(text)) refusals.add(field, `${name} must not contain control characters.`)
  return text
}

/** Trimmed text of several lines; every kind of line break becomes a newline. */
export function parseText(given: string, rule: TextRule, refusals: FieldErrors): string {
  return check(given.replaceAll(/\r\n?/g, '\n').trim(), rule, refusals)
}

/** Trimmed text of one line; line breaks and tabs become spaces. */
export function parseLine(given: string, rule: TextRule, refusals: FieldErrors): string {
  return check(given.replaceAll(/\r\n?|[\n\t]/g, ' ').trim(), rule, refusals)
}
