import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

const INTERVAL_MS = 100

/** Counts ten views per second on random scripts until the returned function is called. */
export async function startWrites(
  db: Database,
  onWritten: (scriptIds: number[]) => void = () => {},
): Promise<() => Promise<void>> {
  const { rows } = await sql<{ last: number }>`select max(id) as last from scripts`.execute(db)
  const last = rows[0]?.last ?? 1
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    const id = 1 + Math.floor(Math.random() * last)
    await sql`update script_stats set view_count = view_count + 1 where script_id = ${id}`.execute(db)
    onWritten([id])
  }
  const timer = setInterval(() => {
    writing = writing.then(write)
  }, INTERVAL_MS)
  return async () => {
    clearInterval(timer)
    await writing
  }
}
