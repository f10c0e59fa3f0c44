import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepareDataDir } from '#server/config/data-dir.ts'
import type { Owner } from './owner.ts'

/** Makes DATA_DIR ready to hold the cluster of another user when root starts it. */
export function openDataDir(dataDir: string): void {
  prepareDataDir(dataDir)
  if (process.getuid?.() !== 0) return
  // A private folder made for us (by mktemp, say) has to let PostgreSQL's user through to its own; one in use is left.
  const isPrivate = (lstatSync(dataDir).mode & 0o001) === 0
  if (isPrivate && readdirSync(dataDir).every((name) => name === 'secret-key')) chmodSync(dataDir, 0o711)
}

/** A folder that only `owner` (and root) may enter. */
export function makePrivateFolder(folder: string, owner: Owner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const found = lstatSync(folder)
  const uid = owner.uid ?? process.getuid?.()
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.())) {
    throw new Error(`The folder ${folder} belongs to somebody else; remove it and start again.`)
  }
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
}

/** A socket's path may hold 107 bytes at most, so it lives in the temp folder under a hash of the data folder. */
export function socketFolder(dataDir: string): string {
  return path.join(tmpdir(), `scriptyard-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
}
