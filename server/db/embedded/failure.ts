import { statSync } from 'node:fs'
import path from 'node:path'
import { SettingError } from '#server/config/values.ts'
import { dataDirError } from '#server/config/data-dir.ts'
import type { Owner } from './owner.ts'

/** What PostgreSQL said when it did not come up. */
export class PostgresFailure extends Error {
  override name = 'PostgresFailure'
}

/** Turns a failed start into the sentence for the person who starts the server, where there is one. */
export function explainFailure(error: unknown, dataDir: string, programs: string, owner: Owner): unknown {
  const known = dataDirError(dataDir, error)
  const text = error instanceof Error ? error.message : ''
  if (/No space left on device|Disk quota exceeded|not enough space/i.test(text)) {
    return dataDirError(dataDir, Object.assign(new Error(text), { code: 'ENOSPC' }))
  }
  if (known === error && !/Permission denied|EACCES/.test(text)) return error
  const blocked = findBlocked(dataDir, owner) ?? findBlocked(programs, owner)
  if (blocked === undefined) return known
  const advice = `run \`chmod o+x ${blocked}\`, start as another user, or move both out of there`
  const reason = `and the program files have to be reachable for PostgreSQL's user, but ${blocked} lets only its owner in`
  return new SettingError('DATA_DIR', `(${dataDir}) ${reason}; ${advice}.`)
}

/** The first folder on the way to `target` that `owner` may not pass through. */
function findBlocked(target: string, { uid, gid }: Owner): string | undefined {
  if (uid === undefined) return undefined
  const parents = target.split(path.sep).map((_, depth, parts) => parts.slice(0, depth + 1).join(path.sep) || path.sep)
  return parents.find((folder) => {
    const stat = statSync(folder, { throwIfNoEntry: false })
    if (!stat) return false
    if (stat.uid === uid) return (stat.mode & 0o100) === 0
    return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) === 0
  })
}
