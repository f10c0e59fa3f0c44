import { sql } from 'kysely'
import type { TagCount } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'
import { BY_AUTHORS, type Completion, type CompletionQuery, TAGS, TITLES } from './completion.ts'
import { LISTED } from './listing-rules.ts'

export async function completeBySql(db: Database, { words, tag }: CompletionQuery): Promise<Completion> {
  const [titles, byAuthors, tags] = await Promise.all([
    findIn(db, words, 'A', TITLES),
    findIn(db, words, 'C', BY_AUTHORS),
    findTags(db, tag),
  ])
  return { titles, byAuthors, tags }
}

async function findIn(db: Database, words: string[], place: 'A' | 'C', most: number): Promise<number[]> {
  if (words.length === 0) return []
  const wanted = words.map((word) => `'${word}':*${place}`).join(' & ')
  const { rows } = await sql<{ id: number }>`select s.id from scripts s join script_stats st on st.script_id = s.id
    join script_search d on d.script_id = s.id
    where ${LISTED} and d.document @@ ${wanted}::tsquery
    order by st.download_count desc, s.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

async function findTags(db: Database, tag: string): Promise<TagCount[]> {
  if (tag === '') return []
  const { rows } = await sql<TagCount>`select t.id, t.name, t.color, count(*) as count
    from tags t join script_tags x on x.tag_id = t.id join scripts s on s.id = x.script_id
    where starts_with(t.name, ${tag}) and ${LISTED}
    group by t.id order by count(*) desc, t.name limit ${TAGS}`.execute(db)
  return rows
}
