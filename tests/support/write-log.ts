import type pg from 'pg'

// Request bookkeeping, some of it written asynchronously.
const UNLOGGED_TABLES = [
  'sessions',
  'script_visits',
  'script_days',
  'script_referrers',
  'catalogue_changes',
  'rate_limits',
  'daily_stats',
]
const UNLOGGED_COLUMNS = ['view_count', 'download_count', 'trend', 'last_seen_at', 'last_used_at']

export interface LoggedWrite {
  table_name: string
  operation: string
}

/** Starts logging every write to a database, by a trigger on each table. */
export async function startWriteLog(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create schema write_log;
    create table write_log.writes (table_name text, operation text);
    create function write_log.log_write() returns trigger language plpgsql as $$
      declare unlogged constant text[] := '{${UNLOGGED_COLUMNS.join(', ')}}';
      begin
        if tg_op = 'UPDATE' and to_jsonb(new) - unlogged = to_jsonb(old) - unlogged then return null; end if;
        insert into write_log.writes values (tg_table_name, tg_op);
        return null;
      end
    $$;
    create function write_log.log_truncate() returns trigger language plpgsql as $$
      begin
        insert into write_log.writes values (tg_table_name, tg_op);
        return null;
      end
    $$`)
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)`,
    [UNLOGGED_TABLES],
  )
  for (const { name } of rows) {
    await pool.query(`
      create trigger log_write after insert or update or delete on ${name}
        for each row execute function write_log.log_write();
      create trigger log_truncate after truncate on ${name}
        for each statement execute function write_log.log_truncate()`)
  }
}

export async function takeWrites(pool: pg.Pool): Promise<LoggedWrite[]> {
  const { rows } = await pool.query<LoggedWrite>('delete from write_log.writes returning table_name, operation')
  return rows
}
