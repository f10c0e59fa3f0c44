import { execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'

/** Whom PostgreSQL runs as; empty for the user of this process. */
export interface Owner {
  uid?: number
  gid?: number
}

/** PostgreSQL refuses root: root's runs as the owner of its folder, else as `postgres`, else as `nobody`. */
export function findOwner(clusterDir: string): Owner {
  if (process.getuid?.() !== 0) return {}
  const folder = lstatSync(clusterDir, { throwIfNoEntry: false })
  if (folder && folder.uid !== 0) return { uid: folder.uid, gid: folder.gid }
  const owner = findUser('postgres') ?? findUser('nobody')
  if (!owner)
    throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.')
  return owner
}

function findUser(name: string): Owner | undefined {
  try {
    return { uid: askId('-u', name), gid: askId('-g', name) }
  } catch {
    return undefined
  }
}

function askId(which: string, name: string): number {
  return Number(execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}
