// Why a text is rejected, decided by the same rules in a form and on its server.
import { countCharacters, isLongerThan } from './lengths.ts'
import { cleanLine, cleanText, hasDirectionControls, isBlank, positionOfControl } from './lines.ts'

export interface TextRule {
  kind: 'line' | 'text'
  /** Subject of the sentences: the label that people see. */
  label: string
  /** In characters: Unicode code points, as PostgreSQL counts them. */
  maxLength?: number
  isRequired?: boolean
}

/** `message` is a sentence with the label; `reason` is for forms that have a sentence of their own. */
export type TextProblem =
  | { reason: 'length'; message: string; length: number; maxLength: number }
  | { reason: 'control' | 'direction' | 'empty' | 'format' | 'login'; message: string }

export interface Checked<T> {
  value: T
  problem: TextProblem | undefined
}

const lengthProblem = (label: string, text: string, maxLength: number): TextProblem => ({
  reason: 'length',
  message: `${label} must have at most ${maxLength} characters.`,
  length: countCharacters(text),
  maxLength,
})

function textProblem(raw: string, text: string, rule: TextRule): TextProblem | undefined {
  const { kind, label, maxLength = Infinity, isRequired = false } = rule
  const position = positionOfControl(raw, kind)
  if (position !== undefined) {
    return { reason: 'control', message: `${position}: ${label} must not contain control characters.` }
  }
  if (isBlank(text) && isRequired) return { reason: 'empty', message: `${label} must not be empty.` }
  if (kind === 'line' && hasDirectionControls(raw)) {
    return { reason: 'direction', message: `${label} can't contain text-direction characters.` }
  }
  return isLongerThan(text, maxLength) ? lengthProblem(label, text, maxLength) : undefined
}

/** The cleaned text, and what cannot be cleaned. */
export function checkText(raw: string, rule: TextRule): Checked<string> {
  const value = rule.kind === 'line' ? cleanLine(raw) : cleanText(raw)
  return { value, problem: textProblem(raw, value, rule) }
}

const reject = (problem: TextProblem) => ({ value: null, problem })

/** A web address as the URL standard writes it; null if it's empty or rejected. */
export function checkLink(
  raw: string,
  { label, maxLength }: { label: string; maxLength: number },
): Checked<URL | null> {
  const text = raw.trim()
  if (!text) return { value: null, problem: undefined }
  if (isLongerThan(text, maxLength)) return reject(lengthProblem(label, text, maxLength))
  // The URL parser silently drops tabs and line breaks.
  const url = !/\p{Cc}/u.test(text) && URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return reject({ reason: 'format', message: `${label} must be a URL that starts with https:// or http://.` })
  }
  if (url.username || url.password) {
    return reject({ reason: 'login', message: `${label} must not contain a user name or password.` })
  }
  const { href } = url
  return isLongerThan(href, maxLength)
    ? reject(lengthProblem(label, href, maxLength))
    : { value: url, problem: undefined }
}
