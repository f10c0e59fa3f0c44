import { plainText } from '@scriptyard/markdown'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { displayNameOf } from '#server/features/members/avatar.ts'
import type { LockedMember } from '#server/features/members/standing.ts'
import { wordsOf } from './words.ts'

interface SearchableScript {
  title: string
  summary?: string | null
  description: string
  tags: readonly string[]
  authorName: string
  gameName?: string | null
}

/**
 * A script's tsvector as text: each word with its fields (A title, B tags and the game's name, C author, D summary and description). It does not
 * use a PostgreSQL text search configuration, so that the database and the in-memory index split words alike.
 */
export function searchDocument(script: SearchableScript): string {
  // One position for each of PostgreSQL's four weights.
  const texts = [
    ['1A', script.title],
    ['2B', [...script.tags, script.gameName ?? ''].join(' ')],
    ['3C', script.authorName],
    ['4D', [script.summary ?? '', plainText(script.description)].join('\n')],
  ] as const
  const positions = new Map<string, string[]>()
  for (const [position, text] of texts) {
    for (const word of wordsOf(text)) {
      const wordPositions = positions.get(word) ?? []
      wordPositions.push(position)
      positions.set(word, wordPositions)
    }
  }
  return [...positions].map(([word, found]) => `'${word}':${found.join(',')}`).join(' ')
}

interface NamedScript {
  id: number
  title: string
  summary: string | null
  description: string
  tags: string[]
  username: string
  display_name: string | null
  gameName: string | null
}

/** Call it in the same transaction after updating the member's row: publishing locks that row, so none is missed. */
export const renameAuthor = (trx: Transaction, memberId: number): Promise<void> =>
  rewriteRows(trx, sql`s.author_id = ${memberId}`)

/** Call it in the transaction that changed texts of the scripts, or their tags. */
export const rewriteSearchRows = (trx: Transaction, scriptIds: readonly number[]): Promise<void> =>
  rewriteRows(trx, sql`s.id = any(${scriptIds}::int[])`)

async function rewriteRows(trx: Transaction, condition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<NamedScript>`select s.id, s.title, s.summary, s.description, m.username, m.display_name,
      g.name as "gameName", array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id
        order by x.position) as tags
    from scripts s join members m on m.id = s.author_id left join games g on g.game_id = s.game_id
    where ${condition}`.execute(trx)
  const documents = rows.map((row) => searchDocument({ ...row, authorName: displayNameOf(row) }))
  await sql`update script_search set document = updated.document::tsvector, is_outdated = false
    from unnest(${rows.map(({ id }) => id)}::int[], ${documents}::text[]) as updated (id, document)
    where script_search.script_id = updated.id`.execute(trx)
}

const BATCH = 500
/** Batches per run. A change of a million documents takes a few runs of minutes and leaves the database time for others. */
const MAX_BATCHES = 200

/** Makes outdated documents again, and puts their scripts into the change feed. */
export async function refreshDocuments(db: Database): Promise<void> {
  for (let i = 0; i < MAX_BATCHES; i++) {
    if ((await db.transaction().execute((trx) => refreshBatch(trx, sql`true`))) < BATCH) return
  }
}

/** Call it in the transaction that changed the game's name. After the first batch of its scripts, `refreshDocuments` goes on. */
export async function refreshGame(trx: Transaction, gameId: string): Promise<void> {
  const isOfGame = sql`script_id in (select id from scripts where game_id = ${gameId})`
  await sql`update script_search set is_outdated = true where ${isOfGame}`.execute(trx)
  await refreshBatch(trx, isOfGame)
}

/** Returns the number of documents. Changes of scripts in other transactions come before the lock or replace the document. */
async function refreshBatch(trx: Transaction, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select script_id as id from script_search where is_outdated and ${condition}
    order by script_id limit ${BATCH} for update skip locked`.execute(trx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await rewriteSearchRows(trx, ids)
  await sql`select record_script_changes(${ids}::int[])`.execute(trx)
  return rows.length
}

export async function writeSearchRow(
  trx: Transaction,
  scriptId: number,
  script: Omit<SearchableScript, 'authorName'>,
  author: LockedMember,
): Promise<void> {
  const document = searchDocument({ ...script, authorName: displayNameOf(author) })
  await sql`insert into script_search (script_id, document) values (${scriptId}, ${document}::tsvector)
    on conflict (script_id) do update set document = excluded.document, is_outdated = false`.execute(trx)
}
