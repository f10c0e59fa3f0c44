import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { readConfig, SETTINGS } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'
import { openPool } from '#server/platform/db/pool.ts'
import { createTestAccount, testAccounts } from '#server/operations/fake-discord/test-accounts.ts'
import { loadPersonKey } from '#server/features/accounts/person-key.ts'
import { openSession } from '#server/features/accounts/sessions.ts'
import { upsertMember } from '#server/features/accounts/upsert-member.ts'
import { findFreePort } from '#tests/support/free-port.ts'

/** The accounts that the fake Discord offers: the demo's admin, moderator and two members, and a new one. */
export type Person = 'marlow' | 'okapi' | 'ada_builds' | 'lin' | 'Someone new'

/** The PostgreSQL of a run and the demo site in it that every worker clones. */
export interface DemoTemplate {
  connection: EmbeddedPostgres['connection']
  database: string
  /** Holds one data folder per site. */
  folder: string
}

/** The template of this run, in a worker. */
export const readTemplate = (): DemoTemplate => JSON.parse(process.env['DEMO_TEMPLATE'] ?? '') as DemoTemplate

export interface Site {
  origin: string
  /** Signs a person in without the browser. Returns the session token. */
  openSession(person: Person): Promise<string>
  /** Dates all sign-ins back by an hour. */
  ageSignIns(): Promise<void>
  /** Makes API tokens live for a year after they were created. */
  lengthenTokens(): Promise<void>
  /** Gives a public script a card with a host of its own. Returns the host. */
  addContactedHost(): Promise<string>
  /** Adds a member without a Discord account. Returns the id. */
  addImportedMember(username: string): Promise<number>
  /** Adds a background job that failed at its last attempt. */
  addFailedJob(reason: string): Promise<void>
  /** Replaces the summary for lists of a script's card. The script is found by words of its title. */
  writeBehavior(words: string, behavior: { capabilities: CapabilityId[]; hosts: string[] }): Promise<void>
  close(): Promise<void>
}

let current: Site | undefined

export function currentSite(): Site {
  if (!current) throw new Error('The site of this worker is not running.')
  return current
}

const START_TIMEOUT_MS = 240_000

/** Starts the server on a database and a data folder, with none of the developer's settings. */
export async function startServer(
  { connection, folder }: DemoTemplate,
  name: string,
  settings: Record<string, string> = {},
): Promise<{ origin: string; close: () => Promise<void> }> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const { host, user } = connection
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      ...Object.fromEntries(SETTINGS.map((setting) => [setting, ''])),
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_URL: origin,
      DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&user=${user}`,
      DATA_DIR: path.join(folder, name),
      DEMO_DATA: 'on',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
  }
  try {
    await waitUntilReady(origin, child)
  } catch (error) {
    await close()
    throw error
  }
  return { origin, close }
}

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The site did not start.')
}

/** Runs one statement on the server's own database. */
export async function runStatement(connection: DemoTemplate['connection'], sql: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** A demo site of a worker's own: a clone of the template's database and data folder, with a server. */
export async function startClonedSite(
  template: DemoTemplate,
  name: string,
  settings: Record<string, string> = {},
): Promise<Site> {
  await runStatement(template.connection, `create database ${name} template ${template.database} strategy file_copy`)
  const dataDir = path.join(template.folder, name)
  cpSync(path.join(template.folder, template.database), dataDir, { recursive: true })
  const server = await startServer(template, name, settings)
  const pool = openPool({ ...template.connection, database: name }, 1)
  const db = openDatabase(pool)
  const personKey = await loadPersonKey(db, readConfig({ DATA_DIR: dataDir }))
  // Creates the same state as a sign-in through the fake Discord: an email address and the time of the visit.
  const findMember = async (person: Person): Promise<number> => {
    const { id, username, email, verified } =
      testAccounts.find((account) => account.username === person) ?? createTestAccount()
    const user = { id, username, email, discriminator: '0', avatar: null, isEmailVerified: verified }
    return db.transaction().execute(async (trx) => {
      const member = await upsertMember(trx, user, personKey)
      await trx.updateTable('members').set({ last_seen_at: new Date() }).where('id', '=', member.id).execute()
      return member.id
    })
  }
  current = {
    origin: server.origin,
    openSession: async (person) => openSession(db, await findMember(person)),
    ageSignIns: async () => void (await pool.query("update sessions set created_at = created_at - interval '1 hour'")),
    lengthenTokens: async () =>
      void (await pool.query("update api_tokens set expires_at = created_at + interval '365 days'")),
    addContactedHost: async () => {
      const host = `host-${Date.now().toString(36)}.example.com`
      await pool.query(
        `insert into script_behaviors (script_id, sha256, analyzer_version, status, capabilities, hosts)
          select id, 'x', 1, 'ready', '{net.get}', array[$1] from scripts where is_public order by id limit 1
          on conflict (script_id) do update set status = 'ready', hosts = script_behaviors.hosts || excluded.hosts`,
        [host],
      )
      return host
    },
    addImportedMember: async (username) => {
      const row = db.insertInto('members').values({ discord_id: null, username, slug: username })
      return (await row.returning('id').executeTakeFirstOrThrow()).id
    },
    addFailedJob: async (reason) => {
      await pool.query(`select jobs.create_queue('analyze-code', '{"policy":"standard"}')`)
      await pool.query(
        `insert into jobs.job (name, data, source_name, source_retry_count, source_output)
          values ('dead-letters', '{"sha256":"x"}', 'analyze-code', 4, jsonb_build_object('message', $1::text))`,
        [reason],
      )
    },
    writeBehavior: async (words, { capabilities, hosts }) => {
      const { rowCount } = await pool.query(
        `insert into script_behaviors (script_id, sha256, analyzer_version, status, compiles, capabilities, hosts)
         select s.id, v.sha256, 1, 'ready', true, $2, $3
           from scripts s join script_versions v on v.script_id = s.id and v.number = s.current_version
           where s.title ilike '%' || $1 || '%' order by s.id limit 1
         on conflict (script_id) do update set sha256 = excluded.sha256, analyzer_version = 1, status = 'ready', compiles = true, capabilities = $2, hosts = $3,
           updated_at = now()`,
        [words, capabilities, hosts],
      )
      if (rowCount !== 1) throw new Error(`The demo has no script "${words}"`)
    },
    close: async () => {
      await pool.end()
      await server.close()
      await runStatement(template.connection, `drop database ${name} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return current
}
