// Code of scripts, from the form, the API, files and repositories.
import { MAX_CODE_BYTES } from './limits.ts'
import { isBlank } from './lines.ts'
import type { TextProblem } from './rules.ts'

/** Control characters other than tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

/**
 * Code as it is stored: without a byte order mark at its start, which says how a file is encoded and which no compiler
 * accepts. Everything else stays as it is, line breaks too.
 */
export const normalizeCode = (text: string): string => text.replace(/^\uFEFF+/, '')

/** The code in a file. Throws TypeError if the bytes are not UTF-8. */
export function decodeCode(bytes: Uint8Array): string {
  return normalizeCode(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

/** Why a text cannot be code of a script; undefined if it can. */
export function codeProblem(code: string): TextProblem | undefined {
  const length = new TextEncoder().encode(code).length
  if (length > MAX_CODE_BYTES) {
    const [limit, actual] = [MAX_CODE_BYTES, length].map((bytes) => bytes.toLocaleString('en'))
    const message = `Script content must have at most ${limit} bytes; this has ${actual}.`
    return { reason: 'length', message, length, maxLength: MAX_CODE_BYTES }
  }
  const index = code.search(CONTROL)
  if (index < 0) return isBlank(code) ? { reason: 'empty', message: 'Script content must not be empty.' } : undefined
  const line = code.slice(0, index).split('\n').length
  const name = `U+${code.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`
  return {
    reason: 'control',
    message: `Script content must not contain control characters other than tabs and line breaks (${name} in line ${line}).`,
  }
}
