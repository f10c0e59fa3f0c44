import { readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4 * 2 ** 30

/** In memory where there is room: databases come and go all the time, which costs a disk most of the CPU time. */
export function parentOfTestFiles() {
  return process.env.TMPDIR || !hasMemory() ? tmpdir() : IN_MEMORY
}

function hasMemory() {
  try {
    const [, options = ''] = /^tmpfs \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // Tests run copies of PostgreSQL's programs there.
    const isUsable = /\brw\b/.test(options) && !/\bnoexec\b/.test(options)
    return isUsable && Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES
  } catch {
    return false
  }
}
