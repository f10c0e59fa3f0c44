import type pg from 'pg'

// Noted beside the calls themselves, some of it a moment later.
const BESIDE = ['sessions', 'script_visits', 'catalogue_changes', 'rate_limits', 'daily_figures']
const COUNTED = ['view_count', 'download_count', 'trend', 'last_seen_at']

/** A hash of every row of every table: equal when nothing was changed. */
export async function fingerprint(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
    [BESIDE],
  )
  const parts = tables.map(
    ({ name }) =>
      `(select coalesce(md5(string_agg(j::text, '' order by j::text)), '') from (select to_jsonb(t) - $1::text[] as j from "${name}" t) x)`,
  )
  const { rows } = await pool.query<{ hash: string }>(`select md5(concat(${parts.join(', ')})) as hash`, [COUNTED])
  return rows[0]?.hash ?? ''
}
