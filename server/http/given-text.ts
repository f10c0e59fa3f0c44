import { AppError } from './errors.ts'

/** Control characters other than tab and newline. */
const CONTROL = /[^\P{Cc}\t\n]/u
/** Spaces and characters that show nothing. */
const BLANK = /^[\s\p{Cf}\p{DI}]*$/u

export function wrongField(field: string, reason: string): AppError {
  return new AppError('invalid', 400, `'${field}' ${reason}.`, { fields: { [field]: reason } })
}

/**
 * Text of a form as it is kept: one kind of line end, no space around it; null where there is nothing to see. Throws
 * AppError `invalid` for control characters and for more than `most` characters, as PostgreSQL counts them.
 */
export function readGivenText(field: string, given: string | null | undefined, most: number): string | null {
  const text = (given ?? '').replaceAll(/\r\n?/g, '\n').trim()
  if (CONTROL.test(text)) throw wrongField(field, 'contains characters that are not allowed')
  if (text.length > most && Array.from(text).length > most)
    throw wrongField(field, `must have at most ${most} characters`)
  return BLANK.test(text) ? null : text
}

/** The same where there has to be something. Throws AppError `invalid`. */
export function readRequiredText(field: string, given: string | null | undefined, most: number): string {
  const text = readGivenText(field, given, most)
  if (text === null) throw wrongField(field, 'is required')
  return text
}
