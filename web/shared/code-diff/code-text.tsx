import { fullCount } from '#web/lib/numbers.ts'
import type { TokenKind } from '#web/shared/markdown/luau-tokens.ts'

export const lineText = (count: number) => (count === 1 ? '1 line' : `${fullCount(count)} lines`)

/** Classes by kind of token. */
export const tokenColors: Record<TokenKind, string> = {
  text: '',
  comment: 'text-code-comment italic',
  keyword: 'text-code-keyword',
  function: 'text-code-function',
  constant: 'text-code-constant',
  string: 'text-code-string',
  parameter: 'text-code-parameter',
  punctuation: 'text-code-punctuation',
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
