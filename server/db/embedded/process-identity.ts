import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process whose parent never asked for it answers for ever in a container without an init.
    return process.platform !== 'linux' || readLinuxStat(pid)[0] !== 'Z'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process began, in the system's own words: with the pid it names one process for ever. */
export function readStartTime(pid: number): string {
  if (process.platform === 'linux') return readLinuxStartTime(pid)
  return process.platform === 'win32' ? '' : askPs(pid, 'lstart=')
}

/** The command line of a process; empty where it cannot be read. */
export function readCommand(pid: number): string {
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  return process.platform === 'win32' ? '' : askPs(pid, 'command=')
}

function readLinuxStartTime(pid: number): string {
  // Ticks since the machine's start.
  const ticks = readLinuxStat(pid)[19] ?? ''
  return ticks && `${readProc('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`
}

// The fields from the third on (the state); the name in the second may hold spaces and brackets.
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

function askPs(pid: number, column: string): string {
  try {
    const args = ['-o', column, '-p', String(pid)]
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
