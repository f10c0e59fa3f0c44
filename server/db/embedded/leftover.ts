import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isRunning, readCommand } from './process-identity.ts'

const FAST_MS = 20_000
const STEP_MS = 20

/** Ends the PostgreSQL that a killed server left running on this cluster. */
export async function stopLeftover(clusterDir: string): Promise<void> {
  const file = path.join(clusterDir, 'postmaster.pid')
  const pid = readPid(file)
  if (pid === undefined || !isRunning(pid)) return
  if (!isPostmaster(pid, clusterDir)) {
    // The number has gone to another program, and PostgreSQL would wait for that one to end.
    rmSync(file, { force: true })
    return
  }
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal)
    if (await hasEnded(pid)) return
  }
  throw new Error(
    `The PostgreSQL that was left on ${clusterDir} (process ${pid}) does not stop; end it and start again.`,
  )
}

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function isPostmaster(pid: number, clusterDir: string): boolean {
  const command = readCommand(pid)
  // Windows does not tell; there a living pid is taken at its word.
  return command === '' ? process.platform === 'win32' : command.includes('postgres') && command.includes(clusterDir)
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let waited = 0; waited < FAST_MS; waited += STEP_MS) {
    if (!isRunning(pid)) return true
    await setTimeout(STEP_MS)
  }
  return false
}
