// The demo catalogue fills an empty database, all of it or nothing, so that a new site has something to show.
import type { Database } from '#server/db/database.ts'
import type { MediaStore } from '#server/features/media/service.ts'
import { loadMembers } from './load-members.ts'
import { loadReviews } from './load-reviews.ts'
import { loadScripts } from './load-scripts.ts'

/** Fills the database unless anything is in it. Gives whether it did. */
export async function fillWithDemo(db: Database, store: MediaStore): Promise<boolean> {
  const anybody = await db.selectFrom('members').select('id').limit(1).executeTakeFirst()
  if (anybody) return false
  await db.transaction().execute(async (trx) => {
    const members = await loadMembers(trx, store)
    const scripts = await loadScripts(trx, store, members)
    await loadReviews(trx, members, scripts)
  })
  return true
}
