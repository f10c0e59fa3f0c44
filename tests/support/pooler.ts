import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findOwner } from '@scriptyard/embedded-postgres/installation'
import { STATEMENT_TIMEOUT_MS } from '#server/platform/db/pool.ts'
import { findFreePort } from './free-port.ts'
import type { TestCluster } from './replica.ts'

export interface TestPooler {
  /** URL of a database behind it: `limited` has a statement timeout, `bare` has none. */
  addressOf(database: 'limited' | 'bare'): string
  stop(): Promise<void>
}

interface PoolerOptions {
  cluster: TestCluster
  size: number
  /** Startup parameters that PgBouncer ignores. */
  ignores?: string
}

/** PgBouncer in transaction mode in front of a cluster. */
export async function startPooler({ cluster, size, ignores = '' }: PoolerOptions): Promise<TestPooler> {
  const program = findPgbouncer()
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-pooler-'))
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  const { host, user, database } = cluster.connection
  const server = `host=${host} user=${user} dbname=${database}`
  const lines = [
    '[databases]',
    `limited = ${server} connect_query='set statement_timeout = ${STATEMENT_TIMEOUT_MS}'`,
    `bare = ${server}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    'max_client_conn = 200',
    'auth_type = any',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    `ignore_startup_parameters = ${ignores}`,
  ]
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  // PgBouncer refuses to run as root; only the cluster's owner may connect to its socket.
  const child = spawn(program, [file], { ...findOwner(cluster.folder), stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(text)))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000)
      if (text.includes('process up')) resolve()
    })
  })
  return {
    addressOf: (name) => `postgres://${user}@127.0.0.1:${port}/${name}`,
    stop: async () => {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findPgbouncer(): string {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(path.delimiter)]
  const found = process.env['PGBOUNCER'] ?? folders.map((folder) => path.join(folder, 'pgbouncer')).find(existsSync)
  if (found) return found
  throw new Error('This test needs PgBouncer: install the package "pgbouncer", or name the program in PGBOUNCER.')
}
