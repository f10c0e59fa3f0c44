import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SettingError } from '#server/config/values.ts'
import { isRunning, readStartTime } from './process-identity.ts'

const SETTLE_MS = 100

/** Keeps two servers off one data folder; throws the sentence for the second one. Returns how to let go. */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = path.join(dataDir, 'server.lock')
  const mine = `${process.pid}\n${readStartTime(process.pid)}\n`
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, mine)
  try {
    if (!linkNew(draft, file)) await replaceDead(draft, file, dataDir, mine)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (readLock(file) === mine) rmSync(file, { force: true })
  }
}

function linkNew(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

// Two servers may find the same dead lock: the last to put its own in place keeps it, the other sees that and leaves.
async function replaceDead(draft: string, file: string, dataDir: string, mine: string): Promise<void> {
  rejectLive(readLock(file), dataDir)
  renameSync(draft, file)
  await setTimeout(SETTLE_MS)
  const now = readLock(file)
  if (now !== mine) rejectLive(now, dataDir)
}

function rejectLive(lock: string, dataDir: string): void {
  const [pid = '', started = ''] = lock.split('\n')
  const holder = Number(pid)
  if (!(holder > 0) || !isRunning(holder) || readStartTime(holder) !== started) return
  const advice = 'stop that one or set DATA_DIR to another folder'
  throw new SettingError(
    'DATA_DIR',
    `(${dataDir}) is in use by a server that runs already (process ${pid}); ${advice}.`,
  )
}

function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
