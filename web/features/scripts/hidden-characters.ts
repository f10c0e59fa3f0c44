// Marks and overrides of writing direction, and spaces of no width: they make code read otherwise than it runs.
// Joiners (U+200C, U+200D) belong to ordinary words and emoji and stay.
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/

export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text)
}

export interface TextPiece {
  text: string
  /** The character's name, `U+202E`, where the piece is a hidden character. */
  hidden: string | null
}

/** Takes a text apart at its hidden characters, so that each can be shown by its name. */
export function splitHiddenCharacters(text: string): TextPiece[] {
  if (!hasHiddenCharacters(text)) return [{ text, hidden: null }]
  const pieces: TextPiece[] = []
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (!HIDDEN.test(character)) continue
    if (index > start) pieces.push({ text: text.slice(start, index), hidden: null })
    pieces.push({ text: character, hidden: nameOf(character) })
    start = index + 1
  }
  if (start < text.length) pieces.push({ text: text.slice(start), hidden: null })
  return pieces
}

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
