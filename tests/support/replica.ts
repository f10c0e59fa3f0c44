import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { startPostgres } from '#server/platform/db/embedded.ts'
import { copyPreparedData } from './prepared-data.ts'
import { createPrivateFolder, socketFolder, type Connection } from '@scriptyard/embedded-postgres/cluster'
import { COPIES_OF_ROOT, findBinaries, findOwner, postgresOptions } from '@scriptyard/embedded-postgres/installation'

export interface TestCluster {
  connection: Connection
  folder: string
  /** The log of the statements that ran during an action. */
  captureStatements(during: () => Promise<unknown>): Promise<string>
  stop(): Promise<void>
}

/** A PostgreSQL server with the durability settings of production, from which replicas can stream; empty unless `isMigrated`. */
export async function startCluster({ isMigrated = false } = {}): Promise<TestCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-primary-'))
  chmodSync(dataDir, 0o755)
  if (isMigrated) copyPreparedData(dataDir)
  const log = openLog()
  const postgres = await startPostgres({ dataDir, log: log.add })
  await queryOnce(postgres.connection, "alter system set log_statement = 'all'")
  // Base backups switch to new files. Without a slot, a replica that has not received the end of an old one would stop there.
  await queryOnce(postgres.connection, "alter system set wal_keep_size = '256MB'")
  await queryOnce(postgres.connection, 'select pg_reload_conf()')
  return {
    connection: postgres.connection,
    folder: path.join(dataDir, 'postgres'),
    captureStatements: (during) => log.capture(postgres.connection, during),
    stop: async () => {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export interface TestReplica extends TestCluster {
  /** Kills the server without a shutdown, as a power failure would. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** A hot standby by streaming replication. The embedded PostgreSQL has no pg_basebackup. */
export async function startReplica(primary: TestCluster): Promise<TestReplica> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'scriptyard-replica-'))
  chmodSync(dataDir, 0o755)
  const folder = path.join(dataDir, 'postgres')
  const owner = findOwner(primary.folder)
  await copyCluster(primary, folder)
  const { host, user } = primary.connection
  writeFileSync(path.join(folder, 'standby.signal'), '')
  // Later lines win, also over the settings of the primary.
  appendFileSync(path.join(folder, 'postgresql.auto.conf'), `\nprimary_conninfo = 'host=${host} user=${user}'\n`)

  const socket = socketFolder(dataDir)
  createPrivateFolder(socket, owner)
  const log = openLog()
  const connection = { ...primary.connection, host: socket }
  const settings = ['log_line_prefix=%a ', 'listen_addresses=', `unix_socket_directories=${socket}`]
  const more = [
    'shared_buffers=16MB',
    'max_connections=100',
    'jit=off',
    'max_standby_streaming_delay=0',
    'wal_retrieve_retry_interval=100ms',
  ]
  let child: ChildProcess
  const start = async () => {
    const flags = [...settings, ...more].flatMap((setting) => ['-c', setting])
    child = spawn(findBinaries(owner, COPIES_OF_ROOT).postgres, ['-D', folder, ...flags], {
      ...postgresOptions(owner, folder),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await waitUntilReady(child, log.add)
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  await start()
  return {
    connection,
    folder,
    captureStatements: (during) => log.capture(connection, during),
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGINT')
      for (const folderToRemove of [dataDir, socket]) rmSync(folderToRemove, { recursive: true, force: true })
    },
  }
}

/** Makes a base backup: copies the files between pg_backup_start and pg_backup_stop. */
async function copyCluster({ connection, folder }: TestCluster, target: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  execFileSync('cp', ['-a', folder, target])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(path.join(target, 'backup_label'), rows[0]?.labelfile ?? '')
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(path.join(target, file), { force: true })
  // The WAL written during the copy arrives by streaming; a half-copied file would be in the way.
  rmSync(path.join(target, 'pg_wal'), { recursive: true })
  for (const part of ['', 'archive_status', 'summaries']) mkdirSync(path.join(target, 'pg_wal', part), { mode: 0o700 })
  const { uid, gid } = findOwner(folder)
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, target])
}

/** Waits until a replica accepts connections. Rejects with its output if it exits. */
function waitUntilReady(child: ChildProcess, onOutput: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(text)))
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000)
      onOutput(chunk)
      if (text.includes('ready to accept read-only connections')) resolve()
    })
  })
}

/** Log of a server. Each backend logs a statement before it responds. */
function openLog() {
  let text = ''
  const mark = async (connection: Connection) => {
    const id = randomUUID()
    await queryOnce(connection, `select '${id}'`)
    await expect.poll(() => text, { interval: 5 }).toContain(id)
    return id
  }
  return {
    add: (more: string) => {
      text += more
    },
    capture: async (connection: Connection, during: () => Promise<unknown>) => {
      const begin = await mark(connection)
      await during()
      const end = await mark(connection)
      return text.slice(text.indexOf(begin), text.indexOf(end))
    },
  }
}

export async function queryOnce<Row extends pg.QueryResultRow>(connection: Connection, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<Row>(sql)
  await client.end()
  return rows
}

export function addressOf({ connection }: TestCluster, database: string, more = ''): string {
  return `postgres:///${database}?host=${encodeURIComponent(connection.host)}&user=${connection.user}${more}`
}
