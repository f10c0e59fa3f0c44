import { fieldError } from './field-errors.ts'

/** Control characters other than tab and newline. */
const CONTROL = /[^\P{Cc}\t\n]/u
/** Spaces and characters that show nothing. */
const BLANK = /^[\s\p{Cf}\p{DI}]*$/u

/**
 * Text of a form as it is kept: one kind of line end, no space around it; null where there is nothing to see. Throws
 * AppError `invalid` for control characters and for more than `most` characters, as PostgreSQL counts them.
 */
export function parseOptionalText(field: string, given: string | null | undefined, most: number): string | null {
  const text = (given ?? '').replaceAll(/\r\n?/g, '\n').trim()
  if (CONTROL.test(text)) throw fieldError(field, 'contains characters that are not allowed')
  if (text.length > most && Array.from(text).length > most)
    throw fieldError(field, `must have at most ${most} characters`)
  return BLANK.test(text) ? null : text
}

/** The same where there has to be something. Throws AppError `invalid`. */
export function parseRequiredText(field: string, given: string | null | undefined, most: number): string {
  const text = parseOptionalText(field, given, most)
  if (text === null) throw fieldError(field, 'is required')
  return text
}
