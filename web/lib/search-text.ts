export interface SearchTerms {
  search: string
  tags: string[]
}

const TAG = /^(?:#|tag:)/

/** Parses search input. Words that start with # or tag: are tags (empty ones are ignored), the rest is the text. */
export function readSearch(input: string): SearchTerms {
  const words = input.split(/\s+/).filter(Boolean)
  const tags = words.filter((word) => TAG.test(word)).map((word) => word.replace(TAG, ''))
  return {
    search: words.filter((word) => !TAG.test(word)).join(' '),
    tags: [...new Set(tags.filter(Boolean))],
  }
}

/** The inverse of readSearch. Tags with spaces cannot be typed and appear only as chips. */
export function writeSearch({ search, tags }: SearchTerms): string {
  const typable = tags.filter((tag) => !/\s/.test(tag)).map((tag) => `#${tag}`)
  return [...(search ? [search] : []), ...typable].join(' ')
}
