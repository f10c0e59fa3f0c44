import type { Card, SearchSuggestions } from '#contract/catalogue.ts'
import type { Completion } from './completion.ts'

const AUTHORS = 5

/** Titles and authors as they are shown, each author once. A script whose card is gone by now is left out. */
export function toSuggestions(cards: Card[], { titles, byAuthors, tags }: Completion): SearchSuggestions {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const find = (ids: number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const authors = new Map<number, SearchSuggestions['authors'][number]>()
  for (const { author_id, author_name, author_slug } of find(byAuthors)) {
    authors.set(author_id, { id: author_id, name: author_name, slug: author_slug })
  }
  return {
    titles: find(titles).map(({ id, title, slug }) => ({ id, title, slug })),
    tags,
    authors: [...authors.values()].slice(0, AUTHORS),
  }
}
