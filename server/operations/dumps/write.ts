import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type pg from 'pg'
import {
  DUMP_FORMAT_VERSION,
  DUMP_KIND_NAMES,
  DUMP_KINDS,
  type DumpFile,
  dumpFileName,
  type DumpKindName,
  DumpManifest,
} from '#contract/dumps.ts'
import type { DB } from '#server/platform/db/types.generated.ts'
import { beginSnapshot, copyToFile, withExportClient } from '#server/platform/db/export.ts'
import { writeFolder, writeSynced } from '#server/platform/db/synced-files.ts'
import type { Database } from '#server/platform/db/database.ts'
import { copyStatement, countTotals } from './rows.ts'

export const MANIFEST = 'manifest.json'
export const SCHEMAS = 'schema'
const GZIP_LEVEL = 6

const LICENSE =
  'Each script has the license in its field "license", an SPDX identifier. Without one, its author reserves all rights. Profiles, reviews and comments belong to their authors: name them, and remove what newer dumps no longer have.'

export interface DumpTask {
  connection: pg.ClientConfig
  /** Folder to create. It appears with all its files or not at all. */
  folder: string
  site: DumpManifest['site']
  /** Whether to pause for two thirds of the time, so that the database server has time for requests. */
  isPaced?: boolean
}

/** Prefix of the folders of unfinished dumps. Static files that start with a dot are not served. */
export const UNFINISHED = '.unfinished-'

/** Uses bounded memory. Rejects if the folder exists or anything fails, and then leaves nothing behind. */
export async function writeDump({ connection, folder, site, isPaced = false }: DumpTask): Promise<DumpManifest> {
  const unfinished = path.join(path.dirname(folder), `${UNFINISHED}${path.basename(folder)}`)
  await rm(unfinished, { recursive: true, force: true })
  return writeFolder({ draft: unfinished, target: folder }, async () => {
    await mkdir(path.join(unfinished, SCHEMAS), { recursive: true })
    const manifest = await withExportClient(connection, (client) => writeFiles(client, unfinished, site, isPaced))
    await writeSynced(path.join(unfinished, MANIFEST), toText(manifest))
    return manifest
  })
}

async function writeFiles(
  client: pg.Client,
  folder: string,
  site: DumpManifest['site'],
  isPaced: boolean,
): Promise<DumpManifest> {
  await beginSnapshot(client)
  const db = openDatabaseOn(client)
  const { rows } = await client.query<{ schema_version: string; transaction_id: string; taken_at: string }>(`select
    (select max(name) from migrations) as schema_version,
    pg_snapshot_xmin(pg_current_snapshot())::text as transaction_id,
    to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at`)
  const { schema_version = '', transaction_id = '', taken_at = '' } = rows[0] ?? {}
  const totals = await countTotals(db)
  const files: DumpFile[] = []
  for (const kind of DUMP_KIND_NAMES) files.push(await writeKind({ client, db, folder, isPaced }, kind))
  await client.query('commit')
  await writeSchemas(path.join(folder, SCHEMAS))
  return {
    format: 'scriptyard-dump',
    format_version: DUMP_FORMAT_VERSION,
    schema_version,
    created_at: new Date().toISOString(),
    snapshot: { transaction_id, taken_at },
    site,
    license: LICENSE,
    totals,
    files,
  }
}

/** A query builder on one connection, for statements in its transaction. */
function openDatabaseOn(client: pg.Client): Database {
  const lent = { query: client.query.bind(client), release: () => {} }
  const pool: PostgresPool = { options: {}, connect: async () => lent, end: async () => {} }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

interface Writing {
  client: pg.Client
  db: Database
  folder: string
  isPaced: boolean
}

async function writeKind({ client, db, folder, isPaced }: Writing, kind: DumpKindName): Promise<DumpFile> {
  const name = dumpFileName(kind)
  const statement = copyStatement(db, kind)
  const { rows, content, file } = await copyToFile(client, statement, path.join(folder, name), {
    gzipLevel: GZIP_LEVEL,
    isPaced,
  })
  return {
    name,
    kind,
    description: DUMP_KINDS[kind].description,
    rows,
    bytes: file.bytes,
    uncompressed_bytes: content.bytes,
    sha256: file.sha256,
  }
}

const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

async function writeSchemas(folder: string): Promise<void> {
  const schemas = [
    { name: 'manifest', description: 'The manifest of a dump', schema: DumpManifest },
    ...DUMP_KIND_NAMES.map((name) => ({ name, ...DUMP_KINDS[name] })),
  ]
  for (const { name, description, schema } of schemas) {
    const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, description, ...schema }
    await writeFile(path.join(folder, `${name}.schema.json`), toText(document))
  }
}
