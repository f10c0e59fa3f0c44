import picomatch from 'picomatch'
import { MAX_PATTERN_LENGTH } from '#contract/limits.ts'

const MAX_PATH_LENGTH = 500

/** Letters, digits, spaces and marks that mean nothing in a pattern, `*`, and one list of alternatives in braces. */
const PART = /^[\p{L}\p{N} ._~#$%&'=,-]*(?:\*[\p{L}\p{N} ._~#$%&'=,-]*)?$/u
const BRACES = /\{([^{}*]*)\}/g

/** At most one `*` in a name and one `**` in a path: with more, matching could keep a process busy for minutes. */
export function isPattern(text: string): boolean {
  const braces = text.match(BRACES) ?? []
  if (braces.length > 1) return false
  const parts = text.replaceAll(BRACES, '$1').split('/')
  if (parts.filter((part) => part === '**').length > 1) return false
  return (
    text.length <= MAX_PATTERN_LENGTH &&
    braces.every((list) => !list.includes('/')) &&
    parts.every((part) => part === '**' || PART.test(part)) &&
    isPath(text.replaceAll('**', 'x').replaceAll(BRACES, 'x'))
  )
}

/** Whether a text is the path of a file inside a repository, without `.` and `..`. */
export function isPath(text: string): boolean {
  const parts = text.split('/')
  return (
    text.length <= MAX_PATH_LENGTH &&
    !/[\p{Cc}\\]/u.test(text) &&
    text.isWellFormed() &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

export const isLiteral = (pattern: string): boolean => !/[*{]/.test(pattern)

export function toMatcher(pattern: string): (path: string) => boolean {
  if (isLiteral(pattern)) return (path) => path === pattern
  const matches = picomatch(pattern, {
    dot: true,
    noextglob: true,
    nonegate: true,
    strictSlashes: true,
    strictBrackets: true,
  })
  return (path) => isPath(path) && matches(path)
}
