import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** What names this database and no copy of it, with all that its migrations did. Undefined where that cannot be known. */
export async function findOrigin(db: Database): Promise<string | undefined> {
  const origin = sql<{ origin: string }>`select concat_ws('/', s.system_identifier, c.timeline_id,
      (select oid from pg_database where datname = current_database()),
      (select md5(string_agg(name || checksum, ' ' order by name)) from migrations)) as origin
    from pg_control_system() s, pg_control_checkpoint() c`
  try {
    const { rows } = await origin.execute(db)
    return rows[0]?.origin
  } catch {
    // Some hosts do not show their control file. A snapshot is then never written.
    return undefined
  }
}
