import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const at = (...parts) => path.join(root, ...parts)
export const isWindows = process.platform === 'win32'

process.chdir(root)

/** One hash over these files and all files below these folders. */
export function hashOf(...paths) {
  const hash = createHash('sha256')
  const add = (relative) => {
    const place = at(relative)
    if (!existsSync(place)) return
    if (statSync(place).isDirectory()) {
      for (const name of readdirSync(place).toSorted()) add(path.join(relative, name))
    } else hash.update(relative).update(readFileSync(place))
  }
  for (const relative of paths) add(relative)
  return hash.digest('hex')
}

/** Whether what this stamp stands for was made from something else, or not at all. */
export const isStale = (stamp, value) => !existsSync(at(stamp)) || readFileSync(at(stamp), 'utf8') !== value
