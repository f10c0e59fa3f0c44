import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { PostgresFailure } from './failure.ts'
import { postgresOptions, runProgram } from './run.ts'

const SETTINGS = {
  shared_buffers: '128MB',
  jit: 'off',
  random_page_cost: 1.1,
  timezone: 'UTC',
  // Values of rows and parameters stay out of the log.
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: 0,
}
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const STOP_MS = 20_000
const MAX_OUTPUT = 4000

/** Starts PostgreSQL and waits until it takes connections; throws what it said when it does not. */
export function startPostmaster(cluster: Cluster, log: (line: string) => void): Promise<ChildProcess> {
  const settings = {
    ...SETTINGS,
    max_connections: cluster.maxConnections,
    ...(cluster.durable ? {} : THROWAWAY),
    ...cluster.address.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // In a process group of its own: Ctrl-C is for the server, which stops PostgreSQL last.
  const options = { ...postgresOptions(cluster.owner, cluster.folder), detached: true }
  const child = spawn(cluster.bin.postgres, ['-D', cluster.folder, ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', () => reject(new PostgresFailure(output.trim())))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT)
      log(chunk.trimEnd())
      if (output.includes('ready to accept connections')) resolve(child)
    })
  })
}

/** A fast shutdown, and an immediate one for what does not obey in time. */
export async function stopPostmaster(child: ChildProcess, { bin, owner, folder }: Cluster): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (process.platform === 'win32') await runProgram(bin.pgCtl, ['stop', '-D', folder, '-m', 'fast'], owner, folder)
  else child.kill('SIGINT')
  const patience = new AbortController()
  await Promise.race([ended, setTimeout(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  if (!hasEnded(child)) child.kill('SIGQUIT')
  await ended
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
