import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const fromRoot = (...parts) => path.join(root, ...parts)
export const isWindows = process.platform === 'win32'

process.chdir(root)

export function hashOf(...paths) {
  const hash = createHash('sha256')
  const add = (relative) => {
    const file = fromRoot(relative)
    if (!existsSync(file) || /\.test\.tsx?$/.test(file)) return
    if (statSync(file).isDirectory()) {
      for (const name of readdirSync(file).toSorted()) add(path.join(relative, name))
    } else hash.update(relative).update(readFileSync(file))
  }
  for (const relative of paths) add(relative)
  return hash.digest('hex')
}

export const isStale = (stamp, value) => !existsSync(fromRoot(stamp)) || readFileSync(fromRoot(stamp), 'utf8') !== value

/** Exits with an error message, because a build cannot write its files. */
export function exitAsReadOnly() {
  console.error(`${root} cannot be written. Run \`npm run build\` there as a user who may write.`)
  process.exit(1)
}
