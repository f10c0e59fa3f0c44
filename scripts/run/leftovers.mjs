import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Deep enough for a data folder in a temporary folder in this folder. */
const MAX_DEPTH = 3

function findPidFiles(folder, depth = MAX_DEPTH) {
  const file = path.join(folder, 'postmaster.pid')
  if (existsSync(file)) return [file]
  if (depth === 0) return []
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => findPidFiles(path.join(folder, name), depth - 1))
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', pid], { encoding: 'utf8' }).stdout ?? ''
  }
}

export function stopServersIn(folder) {
  for (const file of findPidFiles(folder)) {
    const [pid = '', cluster = ''] = readFileSync(file, 'utf8').split('\n')
    // The id may belong to another program by now.
    if (commandOf(pid).includes(cluster)) process.kill(Number(pid), 'SIGQUIT')
  }
}
