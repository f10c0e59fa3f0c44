import type pg from 'pg'

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

export async function isDatabaseReady(pool: pg.Pool): Promise<boolean> {
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  }
}
