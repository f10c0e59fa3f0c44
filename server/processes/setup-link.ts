import { openDatabase } from '#server/db/database.ts'
import { openSitePool } from '#server/db/prepare.ts'
import { openSetup } from '#server/features/setup/setup.ts'
import type { Site } from './prepare.ts'

/** Undefined if there is an admin. Call it before workers start. The token is behind the #, so that no proxy logs it. */
export async function openSetupLink({ config, connection }: Site): Promise<string | undefined> {
  const pool = openSitePool(connection, config)
  try {
    const token = await openSetup(openDatabase(pool), config)
    return token && `${config.publicUrl}/setup#${token}`
  } finally {
    await pool.end()
  }
}
