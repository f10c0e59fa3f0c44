import { cutText } from '#web/lib/text.ts'
import { hasHiddenCharacters } from './hidden-characters.ts'

const PREVIEW_LENGTH = 2000

export type TokenKind =
  | 'text'
  | 'comment'
  | 'keyword'
  | 'function'
  | 'constant'
  | 'string'
  | 'parameter'
  | 'punctuation'
export type Token = readonly [kind: TokenKind, text: string]
export type CodeLine = readonly Token[]

/** The beginning of a script, line by line, as the page shows it. The whole code is fetched when it is copied. */
export interface Preview {
  lines: readonly CodeLine[]
  isCut: boolean
  isHighlighted: boolean
  /** Of the whole code, not of its beginning alone. */
  hasHiddenCharacters: boolean
}

export function makePreview(code: string): Preview {
  const { head, rest } = cutText(code, PREVIEW_LENGTH)
  const lines = head.split(/\r\n|\r|\n/)
  // The line break that ends a file begins no line of its own.
  if (rest === '' && lines.length > 1 && lines.at(-1) === '') lines.pop()
  return {
    lines: lines.map((line): CodeLine => (line === '' ? [] : [['text', line]])),
    isCut: rest !== '',
    isHighlighted: false,
    hasHiddenCharacters: hasHiddenCharacters(code),
  }
}

/** The text of a preview, with one line feed between its lines. */
export function previewText(lines: readonly CodeLine[]): string {
  return lines.map((line) => line.map(([, text]) => text).join('')).join('\n')
}
