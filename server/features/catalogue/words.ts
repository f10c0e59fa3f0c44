const MARKS = /\p{M}+/gu
const WORD = /[\p{L}\p{N}_]+/gu
const MAX_WORD_LENGTH = 64

/** Folds text for comparison: NFKD, lower case, without combining marks. */
export function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(MARKS, '')
}

/**
 * The distinct words of a text, folded, each cut to 64 characters, in the order of their first appearance. A final
 * sigma becomes a normal one; otherwise a prefix that ends in a sigma would match nothing.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const [word] of fold(text).replaceAll('ς', 'σ').matchAll(WORD))
    words.add(word.slice(0, MAX_WORD_LENGTH).toWellFormed())
  return [...words]
}
