import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './installation.ts'

const SETTLE_MS = 100
/** How often a lock is renewed for containers and machines that cannot see this process. */
const RENEW_MS = 2000
/** For how long a lock of another container or machine must not have been renewed until it is stale. */
const STALE_MS = 7000

/**
 * Locks a data folder for this process. Throws EmbeddedPostgresError `in_use`. Returns a function that unlocks it. A lock of
 * another container or machine, which may have been killed, is watched for some seconds first.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = path.join(dataDir, 'server.lock')
  const own = `${process.pid}\n${readStartTime(process.pid)}\n${readNamespace()}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, own)
  try {
    if (!createLink(draft, file)) await replaceStale(draft, file, dataDir, own)
  } finally {
    rmSync(draft, { force: true })
  }
  const isOwn = () => readLock(file) === own
  const timer = setInterval(() => {
    if (isOwn()) renew(file)
  }, RENEW_MS).unref()
  return () => {
    clearInterval(timer)
    if (isOwn()) rmSync(file, { force: true })
  }
}

function renew(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // A full or failing disk is reported by what needs it.
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
  await rejectLive(file, dataDir)
  renameSync(draft, file)
  await sleep(SETTLE_MS)
  if (readLock(file) !== own) await rejectLive(file, dataDir)
}

async function rejectLive(file: string, dataDir: string): Promise<void> {
  const [id = '', startTime = '', namespace = ''] = readLock(file).split('\n')
  if (namespace !== '' && namespace !== readNamespace()) {
    if (!(await isRenewed(file))) return
    throw new EmbeddedPostgresError('in_use', `${dataDir} is in use by another container or machine.`)
  }
  const pid = Number(id)
  if (!(pid > 0) || !isRunning(pid) || readStartTime(pid) !== startTime) return
  throw new EmbeddedPostgresError('in_use', `${dataDir} is in use by another process (${pid}).`, { pid })
}

/** Compares times of the file only with each other: the clocks of two machines may differ. */
async function isRenewed(file: string): Promise<boolean> {
  const readTime = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const first = readTime()
  for (let waited = 0; waited < STALE_MS; waited += SETTLE_MS) {
    await sleep(SETTLE_MS)
    const time = readTime()
    if (time === undefined) return false
    if (time !== first) return true
  }
  return false
}

/** What process ids are unique in: the boot of a machine and the container. Empty where there are no containers. */
function readNamespace(): string {
  if (process.platform !== 'linux') return ''
  try {
    return `${readBootId()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Whether a process exists and is not a zombie, whichever user it belongs to. */
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
  return ticks && `${readBootId()} ${ticks}`
}

const readBootId = (): string => readProc('/proc/sys/kernel/random/boot_id').trim()

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
