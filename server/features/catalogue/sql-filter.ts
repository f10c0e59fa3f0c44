import { sql } from 'kysely'
import type { Flag } from '#contract/catalogue-names.ts'
import { type Condition, FLAG_CONDITIONS, LISTED } from './listing-rules.ts'
import type { CatalogueFilter } from './query.ts'

const and = (conditions: Condition[]): Condition => sql`${sql.join(conditions, sql` and `)}`

/** A lexeme in tsquery syntax: words hold letters, digits and underscores only, so a quoted word is safe. */
export const prefixQuery = (words: string[]) => words.map((word) => `'${word}':*`).join(' & ')

/** Everything but the flags and who may know of it. */
function textConditions(filter: CatalogueFilter): Condition[] {
  const conditions: Condition[] = []
  const { words, tags, authorId, minRating, minViews } = filter
  if (authorId !== undefined) conditions.push(sql`s.author_id = ${authorId}`)
  if (minRating > 0) conditions.push(sql`st.rating_average >= ${minRating}`)
  if (minViews > 0) conditions.push(sql`st.view_count >= ${minViews}`)
  if (words.length > 0) {
    conditions.push(sql`s.id in (select script_id from script_search where document @@ ${prefixQuery(words)}::tsquery)`)
  }
  for (const tag of tags) {
    conditions.push(
      sql`s.id in (select x.script_id from script_tags x join tags t on t.id = x.tag_id where t.name = ${tag})`,
    )
  }
  return conditions
}

/** Everything but the flags. Without `withHidden` only what is listed for everybody. */
export function textCondition(filter: CatalogueFilter, { withHidden = false } = {}): Condition {
  return and([withHidden ? sql`true` : LISTED, ...textConditions(filter)])
}

export function flagsCondition(flags: readonly Flag[]): Condition {
  return flags.length === 0 ? sql`true` : and(flags.map((flag) => FLAG_CONDITIONS[flag]))
}
