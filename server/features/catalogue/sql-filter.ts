import { type RawBuilder, sql } from 'kysely'
import { type Flag, partnerOf } from '#contract/catalogue-names.ts'
import type { CatalogueFilter } from './query.ts'

export type Condition = RawBuilder<boolean>

/** `s` is scripts, `st` is script_stats. */
export const FLAG_CONDITIONS: Record<Flag, Condition> = {
  featured: sql`s.is_featured`,
  no_keysystem: sql`not s.has_key_system`,
  free_only: sql`s.is_free`,
  paid_only: sql`not s.is_free`,
  universal_only: sql`s.is_universal`,
  game_specific_only: sql`not s.is_universal`,
  client_side_only: sql`s.is_client_side`,
  fe_only: sql`not s.is_client_side`,
  verified_creators: sql`s.is_verified`,
  mobile_compatible: sql`s.is_mobile_compatible`,
  working_scripts: sql`s.is_working`,
  showcased: sql`s.showcase_date is not null`,
}

const and = (conditions: Condition[]): Condition => sql`${sql.join(conditions, sql` and `)}`

/** A lexeme in tsquery syntax: words hold letters, digits and underscores only, so a quoted word is safe. */
export const prefixQuery = (words: string[]) => words.map((word) => `'${word}':*`).join(' & ')

/** Public, and by nobody who is banned at this moment. */
export const LISTED: Condition = sql`s.is_public and s.author_id not in (select id from members where banned_until > now())`

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

/** The flags that would be on after turning this one on. */
export function flagsWith(flags: readonly Flag[], added: Flag): Flag[] {
  const partner = partnerOf(added)
  return [...flags.filter((flag) => flag !== partner && flag !== added), added]
}
