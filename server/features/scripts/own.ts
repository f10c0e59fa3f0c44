import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Properties } from './properties.ts'
import { refuseStranger, type Viewer } from './visibility.ts'

/** An author's script as it stands while they change it. */
export interface OwnScript {
  properties: Properties
  currentVersion: number
  /** Of the present code. */
  sha256: string
  updatedAt: Date
  /** Taken out of sight by a moderator. */
  isHidden: boolean
}

/** Throws AppError `not_the_author` or `script_not_found` unless the script is the caller's. */
export async function checkOwn(db: Database, id: number, caller: NonNullable<Viewer>): Promise<void> {
  const own = await db
    .selectFrom('scripts')
    .select('id')
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .executeTakeFirst()
  if (!own) await refuseStranger(db, id, caller)
}

/**
 * Reads the caller's own script and keeps every other change away until the transaction ends. Throws like `checkOwn`.
 * The lock comes alone and the rest after it: in one statement a join would still look at the rows of before the wait.
 */
export async function lockOwn(trx: Database, id: number, caller: NonNullable<Viewer>): Promise<OwnScript> {
  const row = await trx
    .selectFrom('scripts')
    .select(['title', 'description', 'version', 'has_key_system', 'key_system_url', 'is_universal', 'game_id'])
    .select(['is_client_side', 'is_free', 'is_public', 'is_mobile_compatible', 'is_working'])
    .select(['current_version', 'updated_at', 'hidden_at'])
    .where('id', '=', id)
    .where('author_id', '=', caller.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return refuseStranger(trx, id, caller)
  const { current_version, updated_at, hidden_at, ...columns } = row
  const { rows } = await sql<{ sha256: string; tags: string[] }>`select v.sha256,
      array(select t.name from script_tags x join tags t on t.id = x.tag_id where x.script_id = v.script_id
        order by x.position) as tags
    from script_versions v where v.script_id = ${id} and v.number = ${current_version}`.execute(trx)
  const { sha256 = '', tags = [] } = rows[0] ?? {}
  return {
    properties: { ...columns, tags },
    currentVersion: current_version,
    sha256,
    updatedAt: updated_at,
    isHidden: hidden_at !== null,
  }
}

/** The next `updated_at`: always later than the last, by a millisecond at least, which is what the API tells apart. */
export const nextUpdate: RawBuilder<Date> = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  date_trunc('milliseconds', updated_at) + interval '1 millisecond')`
