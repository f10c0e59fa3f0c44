import type { IndexRow, RowWords } from '#server/features/catalogue/memory/row.ts'

/** Words and the best place of each, as PostgreSQL sends a tsvector. */
function sent(places: ReadonlyMap<string, number>): RowWords {
  const parts = [...places].map(([word, place]) =>
    Buffer.concat([Buffer.from(`${word}\0`), Buffer.from([0, 1, 0, place + 1])]),
  )
  return Buffer.concat([Buffer.from([0, 0, 0, places.size]), ...parts])
}

/** A row as the database would give it, for an index without one. Words are at most 255. */
export function indexRow(id: number, places: ReadonlyMap<string, number>, given: Partial<IndexRow> = {}): IndexRow {
  return {
    id,
    author: 1,
    flags: 0,
    created: id,
    showcased: -Infinity,
    views: 0,
    downloads: 0,
    ratings: 0,
    stars: 0,
    trend: 0,
    tags: [],
    words: sent(places),
    title: Buffer.from(`script ${id}`),
    ...given,
  }
}
