import { AppError } from '#server/http/errors.ts'

const CONTROL = /[^\P{Cc}\t\n]/u
/** Spaces and marks that show nothing. */
const BLANK = /^[\s\p{Cf}]*$/u

/**
 * A text as it is kept: one kind of line end, no space around it; null where nothing is left. Throws AppError `invalid`
 * for control characters other than tab and newline.
 */
export function readText(field: string, given: string | null | undefined): string | null {
  const text = (given ?? '').replaceAll('\r\n', '\n').trim()
  if (CONTROL.test(text)) {
    const sentence = 'Use letters, line breaks and tabs, but no other control characters.'
    throw new AppError('invalid', 400, sentence, { fields: { [field]: sentence } })
  }
  return BLANK.test(text) ? null : text
}
