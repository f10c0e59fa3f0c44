export interface SearchTerms {
  search: string
  tags: string[]
}

const TAG = /^(?:#|tag:)/

/** What was typed: words that begin with # or tag: are tags (empty ones are ignored), the rest is the text. */
export function readSearch(typed: string): SearchTerms {
  const words = typed.split(/\s+/).filter(Boolean)
  const tags = words.filter((word) => TAG.test(word)).map((word) => word.replace(TAG, ''))
  return {
    search: words.filter((word) => !TAG.test(word)).join(' '),
    tags: [...new Set(tags.filter(Boolean))],
  }
}

/** The text that reads back as these terms. A tag with a space cannot be typed and is left to its chip. */
export function writeSearch({ search, tags }: SearchTerms): string {
  const typable = tags.filter((tag) => !/\s/.test(tag)).map((tag) => `#${tag}`)
  return [...(search ? [search] : []), ...typable].join(' ')
}
