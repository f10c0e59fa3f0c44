import type pg from 'pg'
import type { Tag } from '#contract/catalogue.ts'
import { copyRows } from './copy-rows.ts'
import { Loader } from './loader.ts'
import type { MemoryIndex } from './memory-index.ts'
import { readRow } from './row.ts'

/**
 * Reads all scripts that are listed at this moment. `query` selects their rows in the order of their ids, without
 * parameters. `rest` is called after each row. A connection on which this failed is not to be used again.
 */
export async function readIndex(client: pg.ClientBase, query: string, rest = () => {}): Promise<MemoryIndex> {
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  const ids = await client.query<{ last: number | null }>('select max(id) as last from scripts')
  const loader = new Loader(ids.rows[0]?.last ?? 0, rest)
  const tags = await client.query<Tag>('select id, name, color from tags order by id')
  for (const tag of tags.rows) loader.index.labels.addTag(tag)
  await copyRows(client, query, (row) => loader.take(readRow(row)))
  await client.query('commit')
  return loader.finish()
}
