import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { postgresOptions, runProgram } from './installation.ts'
import { isRunning, readCommand } from './lock.ts'

const SETTINGS = {
  shared_buffers: '128MB',
  jit: 'off',
  random_page_cost: 1.1,
  timezone: 'UTC',
  // Keeps values of rows and parameters out of the log.
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: 0,
}
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const STOP_TIMEOUT_MS = 20_000
const MAX_OUTPUT = 4000

/** Starts the server and waits until it accepts connections. Throws its output if it exits. */
export function startServer(cluster: Cluster, log: (line: string) => void): Promise<ChildProcess> {
  const settings = {
    ...SETTINGS,
    // Cancels the statements of a program that was killed. Windows cannot detect that.
    ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '5s' }),
    max_connections: cluster.maxConnections,
    ...(cluster.durable ? {} : THROWAWAY_SETTINGS),
    ...cluster.address.settings,
    ...cluster.settings,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // In its own process group: Ctrl-C must reach only the program, which stops PostgreSQL last.
  const { env, ...common } = postgresOptions(cluster.owner, cluster.folder)
  const options = { ...common, env: { ...env, ...cluster.environment }, detached: true }
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.folder, ...args], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(output.trim())))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-MAX_OUTPUT)
      log(chunk.trimEnd())
      if (output.includes('ready to accept connections')) resolve(child)
    })
  })
}

/** A fast shutdown, then an immediate one if that takes too long. */
async function stopServer(child: ChildProcess, { binaries, owner, folder }: Cluster): Promise<void> {
  if (hasEnded(child)) return
  const ended = endOf(child)
  if (process.platform === 'win32') {
    await runProgram(binaries.pgCtl, ['stop', '-D', folder, '-m', 'fast'], owner, folder)
  } else child.kill('SIGINT')
  const timeout = new AbortController()
  await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => {})])
  timeout.abort()
  if (!hasEnded(child)) child.kill('SIGQUIT')
  await ended
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const endOf = (child: ChildProcess): Promise<unknown> =>
  hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve))

const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5000

/** Restarts the server whenever it exits unexpectedly. Returns a function that stops it. */
export function supervise(first: ChildProcess, cluster: Cluster, log: (line: string) => void): () => Promise<void> {
  let child = first
  const stopping = new AbortController()
  const watching = watch()

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await endOf(child)
      if (!stopping.signal.aborted) await restart()
    }
  }

  async function restart(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !stopping.signal.aborted; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      // Before the first attempt too; otherwise a server that dies right after its start would be restarted without a pause.
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        await stopLeftover(cluster.folder)
        child = await startServer(cluster, log)
        return
      } catch (error) {
        log(`PostgreSQL restart failed: ${String(error)}`)
      }
    }
  }

  return async () => {
    stopping.abort()
    await stopServer(child, cluster)
    await watching
    // A restart may have been in progress.
    await stopServer(child, cluster)
  }
}

const SHUTDOWN_TIMEOUT_MS = 20_000
const POLL_MS = 20

/** Stops a server that a killed program left running on this cluster. */
export async function stopLeftover(clusterDir: string): Promise<void> {
  const file = path.join(clusterDir, 'postmaster.pid')
  const pid = readPid(file)
  if (pid === undefined || !isRunning(pid)) return
  if (!isServerOf(pid, clusterDir)) {
    // The id was reused by another program, and PostgreSQL would wait for that one to end.
    rmSync(file, { force: true })
    return
  }
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal)
    if (await endsInTime(pid)) return
  }
  throw new Error(
    `A PostgreSQL server still runs in ${clusterDir} (process ${pid}) and does not stop. End it and start again.`,
  )
}

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function isServerOf(pid: number, clusterDir: string): boolean {
  const command = readCommand(pid)
  // Windows does not reveal command lines; there a running process is assumed to be the server.
  return command === '' ? process.platform === 'win32' : command.includes('postgres') && command.includes(clusterDir)
}

async function endsInTime(pid: number): Promise<boolean> {
  for (let waited = 0; waited < SHUTDOWN_TIMEOUT_MS; waited += POLL_MS) {
    if (!isRunning(pid)) return true
    await sleep(POLL_MS)
  }
  return false
}
