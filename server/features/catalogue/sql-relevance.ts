import { type RawBuilder, sql } from 'kysely'
import { PLACE_WEIGHTS, WHOLE } from './relevance-weights.ts'

/** PostgreSQL's names of the four places. */
const PLACES = ['A', 'B', 'C', 'D'] as const

/** For each weight, the heaviest first, the query that finds a word in a place that is worth so much. */
function weigh(word: string): [weight: number, query: string][] {
  const queries = new Map<number, string[]>()
  const add = (weight: number, query: string) => queries.set(weight, [...(queries.get(weight) ?? []), query])
  for (const [at, place] of PLACES.entries()) {
    const weight = PLACE_WEIGHTS[at] ?? 0
    add(weight * WHOLE, `'${word}':${place}`)
    add(weight, `'${word}':*${place}`)
  }
  return [...queries].toSorted(([a], [b]) => b - a).map(([weight, any]) => [weight, any.join(' | ')])
}

/** The sum over the words of what their best places are worth. `s` is scripts. */
export function relevance(words: readonly string[]): RawBuilder<number> {
  const scores = words.map((word) => {
    const cases = weigh(word).map(
      ([weight, query]) => sql`when d.document @@ ${query}::tsquery then ${sql.lit(weight)}`,
    )
    return sql`case ${sql.join(cases, sql` `)} else 0 end`
  })
  const sum = scores.length > 0 ? sql.join(scores, sql` + `) : sql`0`
  return sql`(select ${sum} from script_search d where d.script_id = s.id)`
}
