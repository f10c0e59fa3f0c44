import { sql } from 'kysely'
import pg from 'pg'
import {
  DUMP_KIND_NAMES,
  type DumpFile,
  type DumpKindName,
  type DumpManifest,
  type DumpTotals,
} from '#contract/dumps.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { recordAllCode, recordCardsOfAllCode } from '#server/features/behavior/record.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { mediaNames, type MediaStore } from '#server/platform/media/store.ts'
import { ReferenceCheck } from './check.ts'
import { RowLoader } from './load-rows.ts'
import { DumpError, readManifest, readRows } from './read.ts'
import { countTotals } from './rows.ts'

export interface ImportOptions {
  db: Database
  /** Images of the dump that are already in it are used; the others are left out. */
  store: MediaStore
  seal: Seal
  onProgress?: (line: string) => void
}

export interface ImportResult {
  manifest: DumpManifest
  /** Number of images that are not in the store. */
  missingImages: number
  /** Number of giveaways that were left out because they are not drawn. */
  openGiveaways: number
}

/** Changes nothing on an error: DumpError for a fault of the dump, UserFacingError if the site is not empty. */
export async function importDump(options: ImportOptions, folder: string): Promise<ImportResult> {
  const { db, store, onProgress = () => {} } = options
  await requireEmptySite(db)
  const manifest = await readManifest(folder, await readSchemaVersion(db))
  await check(folder, manifest, onProgress)
  const images = await findStoredImages(store, folder, manifest)
  onProgress('The dump is complete. Writing it to the database...')
  const loader = await db
    .transaction()
    .execute(async (trx) => {
      const rows = new RowLoader({ images, seal: options.seal, createdAt: manifest.created_at })
      await load(trx, rows, folder, manifest)
      return rows
    })
    .catch((error: unknown) => {
      throw toDumpError(error)
    })
  await sql`analyze`.execute(db).catch(() => {})
  return { manifest, missingImages: loader.missingImages, openGiveaways: loader.openGiveaways }
}

const CONTENT_TABLES = ['members', 'scripts', 'tags', 'ratings', 'comments', 'collections', 'giveaways'] as const

async function requireEmptySite(db: Database): Promise<void> {
  const exist = CONTENT_TABLES.map((table) => sql`exists (select from ${sql.table(table)})`)
  const { rows } = await sql<{ has_content: boolean }>`select ${sql.join(exist, sql` or `)} as has_content`.execute(db)
  if (rows[0]?.has_content === false) return
  throw new UserFacingError(
    'This site is not empty, and a dump can only fill an empty one. Set DATA_DIR or DATABASE_URL to a new place and try again.',
  )
}

async function readSchemaVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from migrations`.execute(db)
  return rows[0]?.name ?? ''
}

/** Reads the files in the order in which their rows refer to each other. */
async function* readFiles(folder: string, { files }: DumpManifest) {
  for (const kind of DUMP_KIND_NAMES) {
    const file = files.find((each): each is DumpFile & { kind: DumpKindName } => each.kind === kind)
    if (file) yield { kind, file, batches: readRows(folder, file) }
  }
}

async function check(folder: string, manifest: DumpManifest, onProgress: (line: string) => void): Promise<void> {
  const references = new ReferenceCheck()
  for await (const { kind, file, batches } of readFiles(folder, manifest)) {
    for await (const rows of batches) for (const row of rows) references.add(kind, row)
    onProgress(`Checked ${file.name}: ${file.rows.toLocaleString('en')} rows.`)
  }
  references.finish()
}

async function findStoredImages(store: MediaStore, folder: string, { files }: DumpManifest): Promise<Set<string>> {
  const stored = new Set<string>()
  const file = files.find((each): each is DumpFile & { kind: 'images' } => each.kind === 'images')
  if (!file) return stored
  for await (const rows of readRows(folder, file)) {
    for (const { hash } of rows) {
      const arePresent = await Promise.all(mediaNames(hash).map((name) => store.has(name)))
      if (arePresent.every(Boolean)) stored.add(hash)
    }
  }
  return stored
}

async function load(trx: Transaction, loader: RowLoader, folder: string, manifest: DumpManifest): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  // Sign-ins of a running site wait until the import is over.
  await sql`lock table ${sql.join(CONTENT_TABLES.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
    trx,
  )
  await requireEmptySite(trx)
  // The files are checked again, because they may have changed since the first reading.
  for await (const { kind, batches } of readFiles(folder, manifest)) {
    for await (const rows of batches) await loader.add(trx, kind, rows)
    await loader.flush(trx)
  }
  await loader.finish(trx)
  await recordCardsOfAllCode(trx)
  await recordAllCode(trx)
  for (const table of [...CONTENT_TABLES, 'giveaway_entries', 'withdrawals'] as const) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
      having max(id) is not null`.execute(trx)
  }
  // A new script must not get the id of one that is gone and had withdrawn code.
  await sql`select setval(pg_get_serial_sequence('scripts', 'id'), max(script_id)) from withdrawals
    having max(script_id) > coalesce((select max(id) from scripts), 0)`.execute(trx)
  // The triggers counted downloads of all time on the days of the uploads, as for any site that starts with data.
  await sql`select recount_daily_stats()`.execute(trx)
  requireTotals(await countTotals(trx), manifest.totals)
}

function requireTotals(actual: DumpTotals, expected: DumpTotals): void {
  const names = Object.keys(expected) as (keyof DumpTotals)[]
  const wrong = names.find((name) => actual[name] !== expected[name])
  if (wrong === undefined) return
  throw new DumpError(
    `The dump has ${actual[wrong]} ${wrong.replace('_', ' ')} instead of the ${expected[wrong]} that its manifest names. Nothing was imported.`,
  )
}

/** SQLSTATE classes of rows that violate a constraint or have invalid values. */
const REJECTED = /^2[23]/

function toDumpError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || !REJECTED.test(error.code ?? '')) return error
  const rule = error.constraint ?? error.column ?? error.code
  return new DumpError(
    `The dump has data that the database rejects (${error.table ?? 'value'}: ${rule}). Nothing was imported.`,
    {
      cause: error,
    },
  )
}
