import { wordsOf } from './words.ts'

export interface SearchableScript {
  title: string
  description: string
  tags: readonly string[]
  authorName: string
}

/**
 * The text form of a script's tsvector: every distinct word with the fields it stands in
 * (A title, B tags, C author, D description). Made here and not by a PostgreSQL configuration, so that the
 * database and the index in memory agree on what a word is.
 */
export function searchDocument(script: SearchableScript): string {
  // PostgreSQL's four weights, one position each.
  const texts = [
    ['1A', script.title],
    ['2B', script.tags.join(' ')],
    ['3C', script.authorName],
    ['4D', script.description],
  ] as const
  const positions = new Map<string, string[]>()
  for (const [place, text] of texts) {
    for (const word of wordsOf(text)) {
      const places = positions.get(word) ?? []
      places.push(place)
      positions.set(word, places)
    }
  }
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ')
}
