// The author's choice that only trusted builds publish versions of a script.
import { sql } from 'kysely'
import type { ProvenanceKind } from '#contract/version-states.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import type { OwnScript } from './queries.ts'

/** Throws AppError `only_builds` if the script does not accept versions that are published in this way. */
export function requireAccepted({ onlyBuilds }: Pick<OwnScript, 'onlyBuilds'>, by: ProvenanceKind): void {
  if (!onlyBuilds || by === 'build') return
  throw new AppError(
    'only_builds',
    403,
    'Only trusted builds may publish versions of this script. Its author can change that on the page “New version”, under “From a repository”.',
  )
}

/** The same before the transaction, so that nothing is analyzed in vain. */
export async function requireAcceptedNow(db: Database, id: number, by: ProvenanceKind): Promise<void> {
  const script = await db.selectFrom('scripts').select('only_builds').where('id', '=', id).executeTakeFirst()
  if (script) requireAccepted({ onlyBuilds: script.only_builds }, by)
}

/** Call it with the script locked. */
export async function setOnlyBuilds(trx: Transaction, id: number, onlyBuilds: boolean): Promise<void> {
  await sql`update scripts set only_builds = ${onlyBuilds} where id = ${id}`.execute(trx)
}
