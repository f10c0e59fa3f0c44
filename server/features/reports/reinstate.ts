import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { recordCodeForScan } from '#server/features/behavior/record.ts'
import { discardWaiting, settleScript } from '#server/features/scripts/version-states.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'

interface Reinstated {
  script_id: number
  sha256: string
}

/**
 * Takes back the withdrawal that a case decided, if there is one: its versions are what they were when they were withdrawn. The
 * entry stays, and says so.
 */
export async function reinstate(trx: Database, { emit }: { emit: Emit }, caseId: number): Promise<void> {
  const { rows } = await sql<Reinstated>`update withdrawals set reinstated_at = now()
    where case_id = ${caseId} and reinstated_at is null returning script_id, sha256`.execute(trx)
  for (const { script_id: id, sha256 } of rows) {
    const script = await trx
      .selectFrom('scripts')
      .select('current_version')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!script) continue
    await sql`update script_versions set state = 'published', state_since = published_at, published_at = null
      where script_id = ${id} and sha256 = ${sha256} and state = 'withdrawn'`.execute(trx)
    await discardReturning(trx, id)
    await settleScript(trx, id)
    await recordCurrent(trx, emit, id, script.current_version)
  }
}

/** A former version that waits to take the place of the code is not needed any more. */
async function discardReturning(trx: Database, id: number): Promise<void> {
  const { rows } = await sql`select from script_versions
    where script_id = ${id} and state in ('checking', 'held') and published_at is not null`.execute(trx)
  if (rows.length > 0) await discardWaiting(trx, id, '')
}

async function recordCurrent(trx: Database, emit: Emit, id: number, former: number): Promise<void> {
  const { current_version, is_public } = await trx
    .selectFrom('scripts')
    .select(['current_version', 'is_public'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (current_version !== former) await recordCodeForScan(trx, id)
  if (is_public) await emit(trx, { type: 'version.published', scriptId: id, isFirst: false })
}
