import type pg from 'pg'
import { vi } from 'vitest'

/** Resolves once a session of this database waits for a lock. */
export async function waitUntilBlocked(pool: pg.Pool): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitUntil(async () => (await pool.query(blocked)).rows.length > 0, { timeout: 10_000, interval: 5 })
}
