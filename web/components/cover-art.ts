/** Two colours of a gradient, both dark enough for white letters on them. */
const PALETTES = [
  ['#5b21b6', '#1e1b4b'],
  ['#6d28d9', '#134e6f'],
  ['#86198f', '#312e81'],
  ['#1d4ed8', '#2e1065'],
  ['#0f766e', '#1e1b4b'],
  ['#9d174d', '#3b0764'],
  ['#0e7490', '#3730a3'],
  ['#a21caf', '#0f3d5e'],
] as const

export const COVER_MOTIFS = ['rings', 'stripes', 'hills', 'blocks'] as const
export type CoverMotif = (typeof COVER_MOTIFS)[number]

/** What is drawn for a script without a cover. The same title always gives the same picture. */
export interface CoverArt {
  key: string
  from: string
  to: string
  motif: CoverMotif
  /** Where the motif stands, from 0 to 1. */
  shift: number
  letters: string
}

// FNV-1a with a final mix: titles that differ in their last letter alone must not look alike.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (value ^ (value >>> 15)) >>> 0
}

/** The first letters or digits of the first two words. */
export function coverLetters(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join('')
}

export function coverArt(title: string): CoverArt {
  const number = hash(title)
  const [from, to] = PALETTES[number % PALETTES.length] ?? PALETTES[0]
  const motif = COVER_MOTIFS[(number >>> 8) % COVER_MOTIFS.length] ?? 'rings'
  return {
    key: number.toString(36),
    from,
    to,
    motif,
    shift: ((number >>> 16) & 0xff) / 255,
    letters: coverLetters(title),
  }
}
