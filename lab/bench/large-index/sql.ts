import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { FLAGS, type Sort } from '#contract/catalogue-names.ts'
import { type CatalogueQuery, FIELD_WEIGHTS, offsetOf, WHOLE_WORD_FACTOR } from '#server/features/catalogue/query.ts'
import { createListUrlCache } from '#server/features/catalogue/routes.ts'
import { Random } from '../../../scripts/synthetic/random.ts'
import { makeMix } from '../mix.ts'
import type { Rows } from './rows.ts'

export interface Answer {
  ids: number[]
  total: number
}

const MAX_PAGE = 500

/** Queries as visitors send them, every tenth with a page up to 500. */
export function makeQueries(scripts: number, count: number, seed: number): CatalogueQuery[] {
  const urls = createListUrlCache()
  const random = new Random(seed)
  return makeMix(scripts, seed)
    .slice(0, count)
    .map((url, i) => {
      const { query } = urls.read(url)
      return i % 10 === 0 ? { ...query, page: random.between(1, MAX_PAGE) } : query
    })
}

const SORT_KEYS: Record<Sort, string[]> = {
  created_at: ['created'],
  updated_at: ['updated'],
  download_count: ['downloads'],
  rating_average: ['case when ratings = 0 then 0 else stars::float8 / ratings end', 'ratings'],
  view_count: ['views'],
  title: ['title_key'],
  showcase_date: ['showcased'],
  score: ['(30 + stars)::float8 / (10 + ratings)', 'ratings'],
  trending: ['trend'],
  relevance: ['downloads'],
}

/** Stored in the folder as they come, because all take minutes with millions of rows: an interrupted run continues. */
export async function askAll(
  { pool, tags }: Rows,
  queries: readonly CatalogueQuery[],
  folder: string,
): Promise<Answer[]> {
  const file = path.join(folder, 'answers.json')
  const text = existsSync(file) ? await readFile(file, 'utf8') : '[]'
  const stored = new Map(JSON.parse(text) as [query: string, answer: Answer][])
  const tagIds = new Map(tags.map(({ id, name }) => [name, id]))
  const remaining = queries.filter((query) => !stored.has(JSON.stringify(query))).values()
  const work = async () => {
    for (const query of remaining) {
      stored.set(JSON.stringify(query), await ask(pool, tagIds, query))
      writeFileSync(file, JSON.stringify([...stored]))
    }
  }
  await Promise.all([work(), work()])
  return queries.map((query) => stored.get(JSON.stringify(query)) ?? { ids: [], total: 0 })
}

/** The answer of PostgreSQL, which scans the rows once. */
async function ask(pool: pg.Pool, tagIds: Map<string, number>, query: CatalogueQuery): Promise<Answer> {
  const direction = query.order === 'desc' ? 'desc nulls last' : 'asc nulls first'
  const keys = [...(query.sort === 'relevance' ? [relevance(query.words)] : []), ...SORT_KEYS[query.sort], 'id']
  const selected = keys.map((key, i) => `${key} as key${i}`).join(', ')
  const order = keys.map((_, i) => `key${i} ${direction}`).join(', ')
  const { rows } = await pool.query<Answer>(`with found as materialized (
      select ${selected} from ${query.words.length > 0 ? 'documents' : 'listed'} where ${conditions(query, tagIds)}
    )
    select (select count(*) from found) as total, array(select key${keys.length - 1} from found order by ${order}
      limit ${2 * query.limit} offset ${offsetOf(query)}) as ids`)
  return { ids: rows[0]?.ids ?? [], total: rows[0]?.total ?? 0 }
}

/** The words, tags and ids have no quotes. */
function conditions(query: CatalogueQuery, tagIds: Map<string, number>): string {
  const { flags, minViews, minRating, tags, uses, lacks, hosts, words } = query
  const mask = FLAGS.reduce((bits, flag, i) => (flags.includes(flag) ? bits | (1 << i) : bits), 0)
  return [
    `flags & ${mask} = ${mask}`,
    ...(minViews > 0 ? [`views >= ${minViews}`] : []),
    ...(minRating > 0 ? [`case when ratings = 0 then 0 else stars::float8 / ratings end >= ${minRating}`] : []),
    ...tags.map((tag) => `tags @> '{${tagIds.get(tag) ?? -1}}'`),
    ...(uses.length > 0 ? [`capabilities @> '{${uses.join()}}'`] : []),
    ...(lacks.length > 0 ? [`not capabilities && '{${lacks.join()}}'`] : []),
    ...hosts.map((host) => `exists (select from unnest(hosts) h where h = '${host}' or h like '%.${host}')`),
    ...(words.length > 0 ? [`document @@ '${words.map((word) => `${word}:*`).join(' & ')}'::tsquery`] : []),
  ].join(' and ')
}

function relevance(words: readonly string[]): string {
  const scores = words.map((word) => {
    const cases = FIELD_WEIGHTS.flatMap((weight, i) => [
      { score: weight * WHOLE_WORD_FACTOR, match: `${word}:${'ABCD'[i]}` },
      { score: weight, match: `${word}:*${'ABCD'[i]}` },
    ]).toSorted((a, b) => b.score - a.score)
    return `case ${cases.map(({ score, match }) => `when document @@ '${match}'::tsquery then ${score}`).join(' ')} end`
  })
  return scores.length > 0 ? scores.join(' + ') : '0::int + 0'
}
