import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { MemoryIndex } from './memory-index.ts'
import { readTags } from './read-rows.ts'
import { readLine, selectLines } from './row.ts'
import { Slices } from './slices.ts'
import { sortOrders } from './sort-orders.ts'

const FETCH = sql<{ line: string }>`fetch 1000 from listed`

/** An index of all that is listed at one moment after the call. Takes a connection for as long as it lasts. */
export async function buildIndex(db: Database, signal: AbortSignal): Promise<MemoryIndex> {
  const index = new MemoryIndex()
  const slices = new Slices()
  const ids = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => loadRows(snapshot, index, slices, signal))
  await sortOrders(index, ids, slices, signal)
  return index
}

async function loadRows(
  snapshot: Database,
  index: MemoryIndex,
  slices: Slices,
  signal: AbortSignal,
): Promise<Uint32Array> {
  await sql`set local statement_timeout = 0`.execute(snapshot)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from scripts`.execute(snapshot)
  index.postings.span = rows[0]?.last ?? 0
  index.columns.reserve(index.postings.span + 1)
  await readTags(snapshot, index.labels)
  await sql`declare listed no scroll cursor for ${selectLines(sql`true order by s.id`)}`.execute(snapshot)
  const ids = new Uint32Array(index.postings.span)
  let count = 0
  let next = FETCH.execute(snapshot)
  for (;;) {
    const { rows: lines } = await next
    if (lines.length === 0) return ids.subarray(0, count)
    // The next ones are on their way while these are taken in.
    next = FETCH.execute(snapshot)
    next.catch(() => {})
    for (const { line } of lines) {
      const row = readLine(line)
      index.load(row)
      ids[count++] = row.id
      if (slices.isDue) await slices.pause()
    }
    signal.throwIfAborted()
  }
}
