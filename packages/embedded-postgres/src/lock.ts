import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './installation.ts'

const SETTLE_MS = 100

/** Locks a data folder for this process. Throws EmbeddedPostgresError `in_use`. Returns a function that unlocks it. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = path.join(dataDir, 'server.lock')
  const own = `${process.pid}\n${readStartTime(process.pid)}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, own)
  try {
    if (!createLink(draft, file)) await replaceStale(draft, file, dataDir, own)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (readLock(file) === own) rmSync(file, { force: true })
  }
}

function createLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

// Two processes may find the same stale lock. The last one to replace it wins; the other one notices and gives up.
async function replaceStale(draft: string, file: string, dataDir: string, own: string): Promise<void> {
  rejectLive(readLock(file), dataDir)
  renameSync(draft, file)
  await sleep(SETTLE_MS)
  const current = readLock(file)
  if (current !== own) rejectLive(current, dataDir)
}

function rejectLive(lock: string, dataDir: string): void {
  const [id = '', startTime = ''] = lock.split('\n')
  const pid = Number(id)
  if (!(pid > 0) || !isRunning(pid) || readStartTime(pid) !== startTime) return
  throw new EmbeddedPostgresError('in_use', `${dataDir} is in use by another process (${pid}).`, { pid })
}

function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // In a container without an init process, a killed orphan stays a zombie.
    return process.platform !== 'linux' || readLinuxStat(pid)[0] !== 'Z'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Start time of a process in the operating system's format. Process ids are reused; id and start time are unique. */
function readStartTime(pid: number): string {
  if (process.platform === 'linux') return readLinuxStartTime(pid)
  return process.platform === 'win32' ? '' : runPs(pid, 'lstart=')
}

/** Command line of a process; empty if it cannot be read. */
export function readCommand(pid: number): string {
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  return process.platform === 'win32' ? '' : runPs(pid, 'command=')
}

function readLinuxStartTime(pid: number): string {
  // In clock ticks since the boot.
  const ticks = readLinuxStat(pid)[19] ?? ''
  return ticks && `${readProc('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`
}

// The fields from the third on (the state). The second one, the name, may contain spaces and parentheses.
function readLinuxStat(pid: number): string[] {
  const stat = readProc(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function runPs(pid: number, column: string): string {
  try {
    const args = ['-o', column, '-p', String(pid)]
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
