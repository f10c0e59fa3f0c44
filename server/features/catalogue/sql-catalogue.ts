import { MAX_RELATED_TAGS } from '@scriptyard/catalogue-index'
import { type RawBuilder, sql } from 'kysely'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import { type Flag, FLAGS, type Order, type Sort } from '#contract/catalogue-names.ts'
import type { Facets, TagCount } from '#contract/catalogue.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isListed } from '#server/features/members/public-content.ts'
import {
  type Condition,
  contacts,
  FLAG_CONDITIONS,
  flagsWith,
  lacksAll,
  LIST_TABLES,
  usesAll,
} from './listing-rules.ts'
import {
  type Catalogue,
  type CatalogueFilter,
  type CatalogueQuery,
  type CatalogueResult,
  type Completion,
  type CompletionQuery,
  FIELD_WEIGHTS,
  MAX_COMPLETED_TAGS,
  MAX_COMPLETED_TITLES,
  MAX_FACET_TAGS,
  MAX_SCRIPTS_BY_AUTHORS,
  type RelatedQuery,
  WHOLE_WORD_FACTOR,
  offsetOf,
} from './query.ts'

/** Keys of each sort, most important first; the id always comes last, so that pages never overlap. */
const SORT_KEYS: Record<Sort, string[]> = {
  created_at: ['s.created_at'],
  updated_at: ['s.updated_at'],
  download_count: ['st.download_count'],
  rating_average: ['st.rating_average', 'st.rating_count'],
  view_count: ['st.view_count'],
  title: ['s.title_key'],
  showcase_date: ['s.showcase_date'],
  score: ['st.score', 'st.rating_count'],
  trending: ['st.trend'],
  // Breaks ties of the relevance score, which `orderBy` puts first.
  relevance: ['st.download_count'],
}
const DIRECTIONS: Record<Order, string> = { desc: 'desc nulls last', asc: 'asc nulls first' }

function orderBy({ sort, order, words }: CatalogueQuery): RawBuilder<unknown> {
  const keys = sql.raw([...SORT_KEYS[sort], 's.id'].map((key) => `${key} ${DIRECTIONS[order]}`).join(', '))
  return sort === 'relevance' ? sql`${relevance(words)} ${sql.raw(DIRECTIONS[order])}, ${keys}` : keys
}

/** One page of results. `withHidden` includes private scripts and those of banned members. */
export async function findScripts(
  db: Database,
  query: CatalogueQuery,
  { withHidden = false } = {},
): Promise<CatalogueResult> {
  const where = sql`${textCondition(query, { withHidden })} and ${flagsCondition(query.flags)}`
  const offset = offsetOf(query)
  const [page, count] = await Promise.all([
    sql<{ id: number }>`select s.id from ${LIST_TABLES} where ${where}
      order by ${orderBy(query)} limit ${query.limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${LIST_TABLES} where ${where}`.execute(db),
  ])
  return { ids: page.rows.map((row) => row.id), total: count.rows[0]?.total ?? 0 }
}

/** The catalogue in plain SQL: the fallback, and the reference that tests compare the in-memory index with. */
export function sqlCatalogue(db: Database): Catalogue {
  return {
    find: (query) => findScripts(db, query),

    async facets(filter: CatalogueFilter): Promise<Facets> {
      const [flags, behavior, tags] = await Promise.all([
        countFlags(db, filter),
        countCapabilities(db, filter),
        countTags(db, filter),
      ])
      const { total = 0, ...counts } = flags
      return { total, flags: counts as Record<Flag, number>, behavior, tags }
    },

    tags: (limit) => findPopularTags(db, limit),

    // PostgreSQL would have to scan the words of all scripts.
    suggest: () => Promise.resolve(undefined),

    complete: (query) => completeBySql(db, query),

    countGames: (gameIds) => countGames(db, gameIds),

    related: (query) => findRelated(db, query),
  }
}

async function countFlags(db: Database, filter: CatalogueFilter): Promise<Record<string, number>> {
  const counts = FLAGS.map(
    (flag) => sql`count(*) filter (where ${flagsCondition(flagsWith(filter.flags, flag))}) as ${sql.ref(flag)}`,
  )
  const { rows } = await sql<Record<string, number>>`select
    count(*) filter (where ${flagsCondition(filter.flags)}) as total, ${sql.join(counts)}
    from ${LIST_TABLES} where ${textCondition(filter)}`.execute(db)
  return rows[0] ?? {}
}

async function countCapabilities(db: Database, filter: CatalogueFilter): Promise<Facets['behavior']> {
  const counts = CAPABILITY_IDS.map((id) => sql`count(*) filter (where ${usesAll([id])}) as ${sql.id(id)}`)
  const { rows } = await sql<Facets['behavior']>`select ${sql.join(counts)}
    from ${LIST_TABLES} where ${textCondition(filter)} and ${flagsCondition(filter.flags)}`.execute(db)
  return rows[0] ?? ({} as Facets['behavior'])
}

async function countTags(db: Database, filter: CatalogueFilter): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`select t.id, t.name, t.color, count(*) as count
    from ${LIST_TABLES} join script_tags x on x.script_id = s.id join tags t on t.id = x.tag_id
    where ${textCondition(filter)} and ${flagsCondition(filter.flags)}
    group by t.id order by count(*) desc, t.name limit ${MAX_FACET_TAGS}`.execute(db)
  return rows
}

const and = (conditions: Condition[]): Condition => sql`${sql.join(conditions, sql` and `)}`

/** A tsquery of prefixes. Words have only letters, digits and underscores, so quoting is safe. */
export const prefixQuery = (words: string[]) => words.map((word) => `'${word}':*`).join(' & ')

function textConditions(filter: CatalogueFilter): Condition[] {
  const conditions: Condition[] = []
  const { words, tags, authorId, gameId, minRating, minViews, uses, lacks, hosts } = filter
  if (authorId !== undefined) conditions.push(sql`s.author_id = ${authorId}`)
  if (gameId !== undefined) conditions.push(sql`s.game_id = ${gameId}`)
  if (minRating > 0) conditions.push(sql`st.rating_average >= ${minRating}`)
  if (minViews > 0) conditions.push(sql`st.view_count >= ${minViews}`)
  if (uses.length > 0) conditions.push(usesAll(uses))
  if (lacks.length > 0) conditions.push(lacksAll(lacks))
  conditions.push(...hosts.map(contacts))
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

function textCondition(filter: CatalogueFilter, { withHidden = false } = {}): Condition {
  return and([withHidden ? sql`true` : isListed('s'), ...textConditions(filter)])
}

export function flagsCondition(flags: readonly Flag[]): Condition {
  return flags.length === 0 ? sql`true` : and(flags.map((flag) => FLAG_CONDITIONS[flag]))
}

async function completeBySql(db: Database, { words, tag }: CompletionQuery): Promise<Completion> {
  const [titles, byAuthors, tags] = await Promise.all([
    findIn(db, words, 'A', MAX_COMPLETED_TITLES),
    findIn(db, words, 'C', MAX_SCRIPTS_BY_AUTHORS),
    findTags(db, tag),
  ])
  return { titles, byAuthors, tags }
}

async function findIn(db: Database, words: string[], label: 'A' | 'C', limit: number): Promise<number[]> {
  if (words.length === 0) return []
  const query = words.map((word) => `'${word}':*${label}`).join(' & ')
  const { rows } = await sql<{ id: number }>`select s.id from scripts s join script_stats st on st.script_id = s.id
    join script_search d on d.script_id = s.id
    where ${isListed('s')} and d.document @@ ${query}::tsquery
    order by st.download_count desc, s.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

async function findTags(db: Database, tag: string): Promise<TagCount[]> {
  if (tag === '') return []
  const { rows } = await sql<TagCount>`select t.id, t.name, t.color, count(*) as count
    from tags t join script_tags x on x.tag_id = t.id join scripts s on s.id = x.script_id
    where starts_with(t.name, ${tag}) and ${isListed('s')}
    group by t.id order by count(*) desc, t.name limit ${MAX_COMPLETED_TAGS}`.execute(db)
  return rows
}

async function countGames(db: Database, gameIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`select
      (select count(*) from scripts s where s.game_id = g.id and ${isListed('s')}) as count
    from unnest(${gameIds}::text[]) with ordinality as g (id, position) order by g.position`.execute(db)
  return rows.map(({ count }) => count)
}

/** Like `findRelated` of the index: the sum of the inverse document frequencies of the shared tags. */
async function findRelated(db: Database, { tags, author, limit }: RelatedQuery): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with rarest as (
      select x.tag_id, count(*) as count from script_tags x join tags t on t.id = x.tag_id
        join scripts s on s.id = x.script_id
      where t.name = any(${tags}::text[]) and ${isListed('s')}
      group by x.tag_id order by count(*), x.tag_id limit ${MAX_RELATED_TAGS}
    ), weights as (
      select tag_id, round(1000 * ln(1 + (select count(*) from scripts s where ${isListed('s')})::double precision / count))
        as weight from rarest
    )
    select s.id from script_tags x join weights w on w.tag_id = x.tag_id join scripts s on s.id = x.script_id
      join script_stats st on st.script_id = s.id
    where ${isListed('s')} and s.author_id <> ${author}
    group by s.id, st.download_count
    order by sum(w.weight) desc, st.download_count desc, s.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const WEIGHT_LABELS = ['A', 'B', 'C', 'D'] as const

/** Each score that a word can have in a document, highest first, with the tsquery that matches such documents. */
function scoreQueries(word: string): [weight: number, query: string][] {
  const queries = new Map<number, string[]>()
  const add = (weight: number, query: string) => queries.set(weight, [...(queries.get(weight) ?? []), query])
  for (const [index, label] of WEIGHT_LABELS.entries()) {
    const weight = FIELD_WEIGHTS[index] ?? 0
    add(weight * WHOLE_WORD_FACTOR, `'${word}':${label}`)
    add(weight, `'${word}':*${label}`)
  }
  return [...queries].toSorted(([a], [b]) => b - a).map(([weight, terms]) => [weight, terms.join(' | ')])
}

/** SQL expression of the sum of the words' best scores. `s` is scripts. */
export function relevance(words: readonly string[]): RawBuilder<number> {
  const scores = words.map((word) => {
    const cases = scoreQueries(word).map(
      ([weight, query]) => sql`when d.document @@ ${query}::tsquery then ${sql.lit(weight)}`,
    )
    return sql`case ${sql.join(cases, sql` `)} else 0 end`
  })
  const sum = scores.length > 0 ? sql.join(scores, sql` + `) : sql`0`
  return sql`(select ${sum} from script_search d where d.script_id = s.id)`
}

async function findPopularTags(db: Database, limit: number): Promise<TagCount[]> {
  const { rows } = await sql<TagCount>`select t.id, t.name, t.color, count(*) as count
    from script_tags x join tags t on t.id = x.tag_id join scripts s on s.id = x.script_id
    where ${isListed('s')}
    group by t.id order by count(*) desc, t.name limit ${limit}`.execute(db)
  return rows
}
