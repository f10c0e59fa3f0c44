import { sql } from 'kysely'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'

/** A backup of everything, or a base backup of the WAL archive. */
export type RunKind = 'full' | 'base'

/** Time between two attempts, also of different machines. */
const RETRY_AFTER = sql`interval '1 hour'`
const RECORDED_FOR = sql`interval '400 days'`
const MAX_ERROR_LENGTH = 500
/** A backup is late after this many periods. */
const LATE_AFTER = 2
const HOUR_MS = 3_600_000

const TITLES: Record<RunKind, string> = { full: 'The backup failed', base: 'The base backup failed' }

interface Run {
  kind: RunKind
  name: string
  everyHours: number
}

/**
 * Writes and records a backup if one is due. Never rejects for one that fails: that is recorded. Returns undefined if none is
 * due or the signal is aborted.
 */
export async function recordRun(
  db: Database,
  run: Run,
  { signal, write }: { signal: AbortSignal; write: () => Promise<{ bytes: number }> },
): Promise<RunResult | undefined> {
  const id = await startRun(db, run)
  if (id === undefined) return undefined
  const started = performance.now()
  const written = await write().catch((reason: Error) => ({ error: reason.message }))
  if (signal.aborted) return undefined
  const result = { seconds: (performance.now() - started) / 1000, ...written }
  await finishRun(db, id, run.kind, result)
  return result
}

/** Records a run if one is due, and returns its id. Several machines start one at a time. */
export async function startRun(db: Database, { kind, name, everyHours }: Run): Promise<number | undefined> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table backups in share row exclusive mode`.execute(trx)
    const { rows } = await sql<{ id: number }>`insert into backups (kind, name) select ${kind}, ${name}
      where not exists (select from backups where kind = ${kind} and (started_at > now() - ${RETRY_AFTER}
          or verified_at is not null and started_at > now() - make_interval(hours => ${everyHours})))
      returning id`.execute(trx)
    return rows[0]?.id
  })
}

export interface RunResult {
  seconds: number
  bytes?: number | undefined
  error?: string | undefined
}

export async function finishRun(db: Database, id: number, kind: RunKind, result: RunResult): Promise<void> {
  const { seconds, bytes = null, error } = result
  const text = error?.slice(0, MAX_ERROR_LENGTH) || null
  await sql`update backups set seconds = ${seconds}, bytes = ${bytes}, error = ${text},
    verified_at = ${text === null ? sql`now()` : null} where id = ${id}`.execute(db)
  if (text === null) await sql`delete from backups where started_at < now() - ${RECORDED_FOR}`.execute(db)
  else await notifyAdmins(db, id, kind, text)
}

/** Once a day, however many backups fail. */
async function notifyAdmins(db: Database, id: number, kind: RunKind, error: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('backups')
      .set({ notified_at: sql`now()` })
      .where('id', '=', id)
      .where(
        sql<boolean>`not exists (select from backups where kind = ${kind} and notified_at > now() - interval '1 day')`,
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const { rows } = await sql<{ id: number }>`select id from members m where is_admin and ${isActive('m')}`.execute(
      trx,
    )
    for (const admin of rows) {
      await notify(trx, {
        memberId: admin.id,
        kind: 'admin',
        type: 'error',
        title: TITLES[kind],
        message: `${error} The site tries again in an hour.`,
        link: '/admin/notifications',
      })
    }
  })
}

export interface BackupState {
  verifiedAt: Date | null
  isLate: boolean
  error: string | null
}

export const getBackupState = async (db: Database, backup: Config['backup']): Promise<BackupState | null> =>
  backup ? readState(db, 'full', backup.everyHours) : null

export async function readState(db: Database, kind: RunKind, everyHours: number): Promise<BackupState> {
  const { rows } = await sql<{ verified_at: Date | null; error: string | null; first_at: Date | null }>`select
    max(verified_at) as verified_at, min(started_at) as first_at,
    (select error from backups where kind = ${kind} and (error is not null or verified_at is not null)
      order by started_at desc limit 1) as error
    from backups where kind = ${kind}`.execute(db)
  const { verified_at: verifiedAt = null, first_at = null, error = null } = rows[0] ?? {}
  const since = verifiedAt ?? first_at
  const isLate = since !== null && Date.now() - since.getTime() > LATE_AFTER * everyHours * HOUR_MS
  return { verifiedAt, isLate, error }
}
