import type pg from 'pg'
import { SettingError } from '#server/config/values.ts'
import { STATEMENT_TIMEOUT_MS } from './pool.ts'

const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Refuses a database that could lose what it acknowledged. Throws with a sentence that names the setting. */
export async function requireDurability(pool: pg.Pool): Promise<void> {
  for (const setting of SETTINGS) {
    const { rows } = await pool.query<{ value: string }>('select current_setting($1) as value', [setting])
    if (rows[0]?.value === 'off') {
      throw new Error(`The database runs with ${setting}=off and could lose data; set ${setting} to on.`)
    }
  }
}

/**
 * Refuses connections on which a statement could run for ever, and those of a pooler that was told to drop our own limit:
 * it would drop more than that. Throws `SettingError`.
 */
export async function requireTimeLimit(pool: pg.Pool, { isPooler }: { isPooler: boolean }): Promise<void> {
  const { rows } = await pool.query<{ ms: number }>(
    `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
  )
  const ms = rows[0]?.ms ?? 0
  const way = isPooler
    ? `sets no statement_timeout; let the pooler do so (connect_query='set statement_timeout = ${STATEMENT_TIMEOUT_MS}')`
    : 'does not take our statement_timeout, as a pooler does; set DATABASE_DIRECT_URL to the server itself'
  if (isPooler ? ms === 0 : ms !== STATEMENT_TIMEOUT_MS) throw new SettingError('DATABASE_URL', `${way}.`)
}

export async function isDatabaseReady(pool: pg.Pool): Promise<boolean> {
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  }
}
