import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { createKeyFile, keyFileOf, readKeyFile } from '#server/platform/config/secret-keys.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { Checksum, countRows, withExportClient } from '#server/platform/db/export.ts'
import { applyMigrations, findApplied, readMigrations, SCHEMA_LOCK } from '#server/platform/db/migrate.ts'
import { mediaNames, type MediaStore } from '#server/platform/media/store.ts'
import { AppError } from '#server/platform/http/errors.ts'
import {
  type BackupContents,
  BackupError,
  type BackupTable,
  checkFiles,
  damagedError,
  readImage,
  readImageList,
  readManifest,
  tableFile,
} from './manifest.ts'
import {
  copyIn,
  copyOut,
  endChangeFeed,
  findAllTables,
  findSequences,
  findTables,
  quote,
  setTextFormat,
} from './tables.ts'

export interface RestoreTask {
  source: string
  /** Opens the database to fill, once the backup is found to be whole. */
  connect: () => Promise<pg.ClientConfig>
  store: MediaStore
  dataDir: string
  onProgress?: (line: string) => void
}

export interface RestoreResult {
  contents: BackupContents
  /** Number of images that the database refers to and that the backup lacks. */
  missingImages: number
  /** Tables of the backup that are not the site's. They were left out. */
  otherTables: string[]
}

/**
 * Fills an empty site from a backup. Checks the whole backup first. The database gets the migrations of the backup and its
 * rows in one transaction, which commits last, so that an interrupted restore can be repeated. Throws UserFacingError for
 * what the operator can fix; then the database is as before.
 */
export async function restoreBackup(task: RestoreTask): Promise<RestoreResult> {
  const { source, dataDir, onProgress = () => {} } = task
  const contents = await readManifest(source)
  await requireKnownMigrations(contents)
  requireSameKey(source, dataDir, contents)
  onProgress('Checking the backup...')
  await checkFiles(source, contents)
  const connection = { ...(await task.connect()), application_name: 'scriptyard-restore' }
  return withExportClient(connection, async (client) => {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await lockSchema(client)
    await requireEmptySite(client, contents)
    return fill(client, contents, task).catch((error: unknown) => {
      throw explain(error)
    })
  })
}

async function requireKnownMigrations({ migrations }: BackupContents): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const unknown = migrations.find(({ name }) => !known.has(name))
  if (unknown) {
    throw new BackupError(
      `The backup is from a newer version of Scriptyard (migration ${unknown.name}). Update Scriptyard and try again.`,
    )
  }
  const changed = migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (!changed) return
  throw new BackupError(
    `The migration ${changed.name} differs from the one of the backup. Use the version of Scriptyard that made the backup.`,
  )
}

function requireSameKey(source: string, dataDir: string, contents: BackupContents): void {
  const current = contents.secret_key && readKeyFile(dataDir)
  if (!current || isSame(current, readKeyFile(source) ?? [])) return
  throw new UserFacingError(
    `${keyFileOf(dataDir)} is not the key of the backup. Move the file away and try again. Nothing was restored.`,
  )
}

const isSame = (some: readonly Buffer[], others: readonly Buffer[]) =>
  some.length === others.length && some.every((key, i) => others[i]?.equals(key))

/** Locks the schema until the session ends. A site that starts waits for the lock. */
async function lockSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [SCHEMA_LOCK])
  if (rows[0]?.locked) return
  throw new UserFacingError('Another restore is running, or a site starts on this database. Wait until it has ended.')
}

/** Tables that are empty as long as nobody has used the site. */
const CONTENT_TABLES = ['members', 'persons', 'scripts', 'giveaways', 'media', 'audit_log']

const ELSEWHERE = 'Set DATA_DIR or DATABASE_URL to a new place and try again. Nothing was restored.'

async function requireEmptySite(client: pg.Client, { migrations }: BackupContents): Promise<void> {
  const sessions = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'scriptyard %' limit 1`,
  )
  if (sessions.rowCount) throw new UserFacingError('A site is running on this database. Stop it and try again.')
  const tables = await findAllTables(client)
  if (tables.length === 0) return
  if (!tables.includes('migrations'))
    throw new UserFacingError(`The database has tables of another program. ${ELSEWHERE}`)
  for (const name of CONTENT_TABLES.filter((table) => tables.includes(table))) {
    const { rowCount } = await client.query(`select from ${quote(client, name)} limit 1`)
    if (rowCount) throw new UserFacingError(`This site has data, and a backup can only fill an empty one. ${ELSEWHERE}`)
  }
  const names = new Set(migrations.map(({ name }) => name))
  const newer = [...(await findApplied(client)).keys()].find((name) => !names.has(name))
  if (newer === undefined) return
  throw new UserFacingError(`The database has a newer schema (migration ${newer}) than the backup. ${ELSEWHERE}`)
}

const NO_SPACE = new Set(['53100', 'ENOSPC', 'EDQUOT'])
/** SQLSTATE classes of rows that violate a constraint or have invalid values. */
const REJECTED = /^2[23]/

function explain(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (NO_SPACE.has(code)) return new UserFacingError('There is no room for the backup. Nothing was restored.')
  if (error instanceof AppError) return new UserFacingError(error.message, { cause: error })
  if (!(error instanceof pg.DatabaseError) || !REJECTED.test(code)) return error
  const rule = error.constraint ?? error.column ?? code
  return new BackupError(
    `The backup has data that the database rejects (${error.table ?? 'value'}: ${rule}). Nothing was restored.`,
    { cause: error },
  )
}

async function fill(client: pg.Client, contents: BackupContents, task: RestoreTask): Promise<RestoreResult> {
  const { source, dataDir, onProgress = () => {} } = task
  await setTextFormat(client)
  await client.query('begin')
  await applyMigrations(client, new Set(contents.migrations.map(({ name }) => name)))
  const { tables, otherTables } = await matchTables(client, contents)
  const restoreRules = await suspendRules(client)
  const names = (await findAllTables(client)).filter((name) => name !== 'catalogue_feed')
  await client.query(`truncate ${names.map((name) => quote(client, name)).join(', ')}`)
  for (const table of tables) {
    onProgress(`Restoring ${table.name}: ${table.rows.toLocaleString('en')} rows...`)
    await load(client, source, table)
  }
  await setSequences(client, contents)
  await restoreRules()
  onProgress('Comparing the database with the backup...')
  for (const table of tables) await compare(client, table)
  await endChangeFeed(client)
  onProgress(`Restoring ${contents.media.files.toLocaleString('en')} image files...`)
  const missingImages = await restoreImages(client, source, task.store)
  const keys = contents.secret_key ? readKeyFile(source) : undefined
  // Before the commit, because a site with rows and without a key could not be restored again.
  if (keys) createKeyFile(dataDir, keys)
  await client.query('commit')
  await client.query('analyze').catch(() => {})
  return { contents, missingImages, otherTables }
}

/** The table of migrations has columns that earlier versions lack. */
const hasColumns = ({ name, columns }: BackupTable, expected: readonly string[]) =>
  name === 'migrations' ? columns.every((column) => expected.includes(column)) : columns.join() === expected.join()

/** Throws BackupError unless the backup has the tables of its migrations. Returns them, and the names of other tables. */
async function matchTables(client: pg.Client, contents: BackupContents) {
  const left = new Map(contents.tables.map((table) => [table.name, table]))
  const tables = (await findTables(client)).map(({ name, columns }) => {
    const table = left.get(name)
    left.delete(name)
    if (table && hasColumns(table, columns)) return table
    throw new BackupError(`The table ${name} of the backup is not the one of its migrations. Nothing was restored.`)
  })
  return { tables, otherTables: [...left.keys()] }
}

/** Drops foreign keys and disables triggers. Returns a function that makes them as they were, which checks all rows. */
async function suspendRules(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
     order by conrelid::regclass::text, conname`,
  )
  // An owner who is not a superuser may disable the triggers of users, but not those of foreign keys.
  const { rows: triggers } = await client.query<{ disable: string; enable: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as disable,
       format('alter table %s enable %s trigger %I', tgrelid::regclass,
         case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as enable
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and tgenabled <> 'D' and c.relnamespace = 'public'::regnamespace
     order by tgrelid::regclass::text, tgname`,
  )
  for (const { disable } of triggers) await client.query(disable)
  for (const { drop } of keys) await client.query(drop)
  return async () => {
    for (const { add } of keys) await client.query(add)
    for (const { enable } of triggers) await client.query(enable)
  }
}

/** The content is checked again, because the file may have changed since the first reading. */
async function load(client: pg.Client, source: string, table: BackupTable): Promise<void> {
  const content = new Checksum()
  const name = tableFile(table.name)
  await pipeline(
    createReadStream(path.join(source, name)),
    createGunzip(),
    async function* checksum(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        content.add(chunk)
        yield chunk
      }
    },
    client.query(from(copyIn(client, table))),
  )
  if (content.finish().sha256 !== table.content.sha256) throw damagedError(name)
}

async function setSequences(client: pg.Client, { sequences }: BackupContents): Promise<void> {
  const names = await findSequences(client)
  const values = new Map(sequences.map((sequence) => [sequence.name, sequence]))
  for (const name of names) {
    const value = values.get(name)
    if (!value) throw new BackupError(`The backup lacks the sequence ${name}. Nothing was restored.`)
    // Gives the sequence a new file: without it, setval would outlast a rollback.
    await client.query(`alter sequence ${quote(client, name)} restart`)
    await client.query('select setval($1, $2, $3)', [quote(client, name), value.last_value, value.is_called])
  }
}

/** Rows are in the order of the backup, because COPY appends them to an empty table. */
async function compare(client: pg.Client, table: BackupTable): Promise<void> {
  const content = new Checksum()
  let rows = 0
  for await (const chunk of client.query(to(copyOut(client, table)))) {
    content.add(chunk as Buffer)
    rows += countRows(chunk as Buffer)
  }
  if (rows === table.rows && content.finish().sha256 === table.content.sha256) return
  throw new BackupError(
    `The table ${table.name} differs from the backup after the restore (${rows} rows instead of ${table.rows}). Nothing was restored.`,
  )
}

/** Copies the images that the store lacks. Returns the number of images that neither has. */
async function restoreImages(client: pg.Client, source: string, store: MediaStore): Promise<number> {
  const names = new Set<string>()
  for await (const image of readImageList(source)) {
    const bytes = await readImage(source, image)
    const stored = await store.get(image.name)
    if (!stored?.equals(bytes)) await store.put(image.name, bytes)
    names.add(image.name)
  }
  const tables = await findAllTables(client)
  if (!tables.includes('media')) return 0
  const { rows } = await client.query<{ hash: string }>('select hash from media')
  return rows.filter(({ hash }) => !mediaNames(hash).every((name) => names.has(name))).length
}
