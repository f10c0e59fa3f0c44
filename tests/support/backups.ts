import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { recordCode } from '#server/features/behavior/record.ts'
import { restoreBackup } from '#server/operations/backup/restore.ts'
import { writeBackup } from '#server/operations/backup/write.ts'
import { mediaNames, openFileStore } from '#server/platform/media/store.ts'
import { createTestApp, type TestApp } from './app.ts'
import { createEmptyDatabase, type TestDatabase } from './database.ts'
import { makeMember, makeScript } from './factories.ts'
import { makeFullMember } from './full-member.ts'

export const KEY = 'ab'.repeat(32)
export const IMAGE = createHash('sha256').update('an image').digest('hex')

/** A site with a row in every table, and a backup of it. */
export interface BackedUpSite {
  origin: TestApp
  folder: string
  data: string
  whole: string
  /** A copy of the backup, an empty database and an empty data folder. */
  prepare: () => Promise<RestoreTarget>
  close: () => Promise<void>
}

export interface RestoreTarget {
  backup: string
  target: TestDatabase
  dataDir: string
  restore: (source?: string) => ReturnType<typeof restoreBackup>
}

export const storeOf = (data: string) => openFileStore(path.join(data, 'media'))

export const backUp = (connection: pg.ClientConfig, target: string, data: string) =>
  writeBackup({ connection, target, store: storeOf(data), keyFolder: data, isPaced: false })

export async function backUpSite(): Promise<BackedUpSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-backup-'))
  await chmod(folder, 0o755)
  const origin = await createTestApp()
  await fillEveryTable(origin)
  const [data, whole] = [path.join(folder, 'origin'), path.join(folder, 'whole')]
  await mkdir(data)
  await writeFile(path.join(data, 'secret-key'), `${KEY}\n`, { mode: 0o600 })
  for (const name of mediaNames(IMAGE)) await storeOf(data).put(name, Buffer.from(`image ${name}`))
  await backUp(origin.database.connection, whole, data)
  return {
    origin,
    folder,
    data,
    whole,
    prepare: async () => {
      const backup = await mkdtemp(path.join(folder, 'copy-'))
      await cp(whole, backup, { recursive: true })
      const dataDir = await mkdtemp(path.join(folder, 'data-'))
      await chmod(dataDir, 0o755)
      const target = await createEmptyDatabase()
      const connect = async () => target.connection
      const restore = (source = backup) => restoreBackup({ source, connect, store: storeOf(dataDir), dataDir })
      return { backup, target, dataDir, restore }
    },
    close: async () => {
      await origin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fillEveryTable(origin: TestApp): Promise<void> {
  const { db, jobs, pool } = origin
  await makeFullMember(origin)
  const title = 'Tabs\tand\nlines \\ "quotes" 😀'
  const script = await makeScript(db, { author_id: await makeMember(db), title })
  await db.transaction().execute((trx) => recordCode(jobs, trx, script))
  await pool.query(`insert into media (hash, width, height) values ('${IMAGE}', 1, 1)`)
  await pool.query(`insert into admin_grants (discord_id) values ('123456789012345678');
    insert into backups (name) values ('backup-2026-01-01T00-00-00Z');
    insert into branding (name) values ('Yard');
    insert into setup (token_hash, finished_at) values (sha256('token'), now());
    insert into behavior_counts (kind, name, scripts) values ('status', 'listed', 1);
    insert into games (game_id) values ('920587237');
    insert into retired_slugs (slug_sha256) values (sha256('slug'));
    insert into repository_deliveries (connection_id, delivery) select id, 'one' from repository_connections limit 1;
    insert into script_visits (script_id, kind, visitor) values (${script}, 'view', sha256('visitor'));
    insert into secret_keys (id, sealed_check, is_current) values ('\\x0001020304050607', '\\x00', true);
    insert into sign_ins (state_hash, browser_hash) values (sha256('state'), sha256('browser'));
    insert into used_id_tokens (token_hash, expires_at) values (sha256('token'), now())`)
}

/** Number of rows and a hash of each table, and the value of each sequence. */
export async function summarize({ connection }: Pick<TestDatabase, 'connection'>): Promise<Record<string, unknown>> {
  // Not from the pool, whose connections stay open: a restore is rejected while a site is connected.
  const client = new pg.Client(connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relpersistence = 'p' and relname not in ('catalogue_changes', 'catalogue_feed') order by 1`,
  )
  const sums: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*)::int as rows, md5(string_agg(t::text, '|' order by t::text)) as hash from ${name} t`,
    )
    sums[name] = rows[0]
  }
  const { rows: sequences } = await client.query('select sequencename, last_value from pg_sequences order by 1')
  await client.end()
  sums['sequences'] = sequences
  return sums
}

export const listFiles = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
