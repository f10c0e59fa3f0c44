import { wordsOf } from './words.ts'

export interface SearchableScript {
  title: string
  description: string
  tags: readonly string[]
  authorName: string
}

/** Which field a word stands in: PostgreSQL's four weights, one position each. */
const FIELDS = ['1A', '2B', '3C', '4D'] as const

/**
 * The text form of a script's tsvector: every distinct word with the fields it stands in
 * (A title, B tags, C author, D description). Made here and not by a PostgreSQL configuration, so that the
 * database and the index in memory agree on what a word is.
 */
export function searchDocument(script: SearchableScript): string {
  const texts = [script.title, script.tags.join(' '), script.authorName, script.description]
  const positions = new Map<string, string[]>()
  texts.forEach((text, field) => {
    for (const word of wordsOf(text)) {
      const places = positions.get(word) ?? []
      places.push(FIELDS[field]!)
      positions.set(word, places)
    }
  })
  return [...positions].map(([word, places]) => `'${word}':${places.join(',')}`).join(' ')
}
