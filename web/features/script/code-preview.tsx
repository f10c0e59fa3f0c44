import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'
import { cutText } from '#web/lib/text.ts'

const PREVIEW_LENGTH = 2000

/** The first 2,000 characters of a script, line by line. The whole code is loaded when it is copied. */
export interface Preview {
  lines: readonly CodeLine[]
  isCut: boolean
  isHighlighted: boolean
  /** Whether the whole code has hidden characters, not only the preview. */
  hasHiddenCharacters: boolean
  /** Number of lines of the whole code. */
  lineCount: number
}

export function makePreview(code: string): Preview {
  const { head, rest } = cutText(code, PREVIEW_LENGTH)
  const lines = head.split(/\r\n|\r|\n/)
  // A trailing line break does not start another line.
  if (rest === '' && lines.length > 1 && lines.at(-1) === '') lines.pop()
  return {
    lines: lines.map((line): CodeLine => (line === '' ? [] : [['text', line]])),
    isCut: rest !== '',
    isHighlighted: false,
    hasHiddenCharacters: hasHiddenCharacters(code),
    lineCount: countLines(code),
  }
}

function countLines(code: string): number {
  const breaks = code.match(/\r\n|\r|\n/g)?.length ?? 0
  return breaks + (/[\r\n]$/.test(code) ? 0 : 1)
}

/** The text of a preview, with its lines joined by line feeds. */
export function previewText(lines: readonly CodeLine[]): string {
  return lines.map((line) => line.map(([, text]) => text).join('')).join('\n')
}

// Bidirectional controls and zero-width characters: they make code look different from what it does.
// Joiners (U+200C, U+200D) are part of ordinary words and emoji, so they are not included.
const HIDDEN = /([\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff])/

export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text)
}

interface TextPiece {
  text: string
  /** The code point, such as `U+202E`, of a hidden character. Null for other text. */
  hidden: string | null
}

export function splitHiddenCharacters(text: string): TextPiece[] {
  // Splitting by a capturing group puts the separators at the odd indexes.
  return text
    .split(HIDDEN)
    .map((piece, index) => ({ text: piece, hidden: index % 2 === 1 ? codePointName(piece) : null }))
    .filter((piece) => piece.text !== '')
}

function codePointName(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Code with hidden characters shown as their code points. */
export function CodeText({ text }: { text: string }) {
  return Array.from(splitHiddenCharacters(text).entries(), ([index, piece]) =>
    piece.hidden === null ? (
      piece.text
    ) : (
      <span key={index} className="rounded-sm border border-warning px-1 text-xs text-warning not-italic">
        {piece.hidden}
      </span>
    ),
  )
}
