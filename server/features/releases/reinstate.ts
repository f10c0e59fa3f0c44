import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { discardWaiting, settleScript } from '#server/features/scripts/version-states.ts'
import { findWaitingVersion, lockScript, recordRelease, type ReleaseOptions } from './release.ts'

interface Reinstated {
  script_id: number
  sha256: string
}

/**
 * Takes back the withdrawal that a case decided, if there is one: its versions are what they were when they were withdrawn. The
 * entry stays, and says so.
 */
export async function reinstate(options: ReleaseOptions, trx: Database, caseId: number): Promise<void> {
  const { rows } = await sql<Reinstated>`update withdrawals set reinstated_at = now()
    where case_id = ${caseId} and reinstated_at is null returning script_id, sha256`.execute(trx)
  for (const { script_id: id, sha256 } of rows) {
    const former = await lockScript(trx, id)
    if (!former) continue
    await sql`update script_versions set state = 'published', state_since = published_at, published_at = null
      where script_id = ${id} and sha256 = ${sha256} and state = 'withdrawn'`.execute(trx)
    const waiting = await findWaitingVersion(trx, id)
    if (waiting?.returns) await discardWaiting(trx, id, 'The code that it was to replace is back.')
    await settleScript(trx, id)
    await recordRelease(options, trx, id, former, { isQuiet: true })
  }
}
