// The demo catalogue fills an empty database, all of it or nothing, so that a new site has something to show.
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Seal } from '#server/features/giveaways/seal.ts'
import type { MediaLibrary } from '#server/features/media/upload.ts'
import { loadGiveaways } from './load-giveaways.ts'
import { loadMembers } from './load-members.ts'
import { loadReputation } from './load-reputation.ts'
import { loadReviews } from './load-reviews.ts'
import { loadScripts } from './load-scripts.ts'

const LOCK = 7_301_147

/**
 * Fills the database unless anything is in it. Gives whether it did. Of several servers that start at once one fills,
 * the others wait.
 */
export function fillWithDemo(db: Database, { media, seal }: { media: MediaLibrary; seal: Seal }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const anybody = await trx.selectFrom('members').select('id').limit(1).executeTakeFirst()
    if (anybody) return false
    const members = await loadMembers(trx, media)
    const scripts = await loadScripts(trx, media, members)
    await loadReviews(trx, members, scripts)
    await loadReputation(trx)
    await loadGiveaways(trx, seal, members)
    return true
  })
}
